import java.util.*;

/** Prints what the helpers of the kit make, one JSON value after another. */
public final class Probe {
    public static void main(String[] arguments) {
        var card = SeloKit.readCard("10H");
        var dice = SeloKit.readThrow(List.of(3L, 4L, "cocked"));
        int[] tile = SeloKit.readTile("3/6");
        List<Object> money = new ArrayList<>();
        for (double value : new double[] {1.95, 0.975, 0.1 + 0.2, -1.0}) { money.add(SeloKit.units(value, 2)); }
        List<Object> shown = List.of(
                List.of(card.rank(), "" + card.suit()), SeloKit.writeCard(14, "hearts"), SeloKit.writeCard(12, "s"),
                SeloKit.cardNumber("AC", "CDHS"), SeloKit.cardNumber("KS", "CDHS"), SeloKit.cardNumber("10H", "SHDC"),
                SeloKit.cardOfNumber(22, "SHDC"), SeloKit.figureNumber("coin"), SeloKit.figureName(6),
                List.of(dice.first(), dice.second(), dice.lies()),
                SeloKit.writeThrow(new SeloKit.Throw(6, 5, "flat")), SeloKit.writeThrow(new SeloKit.Throw(0, 5, "rail")),
                List.of(tile[0], tile[1]), SeloKit.writeTile(4, 1), money,
                SeloKit.win(100, 8L), SeloKit.winToOne(100, 3, 2), SeloKit.winToOne(5, 19, 20), SeloKit.lose(),
                SeloKit.stands(), SeloKit.voided(7), SeloKit.fromNet(100, 95), SeloKit.fromNet(100, -100),
                SeloKit.fromTotal(100, 100), SeloKit.refused(Map.of("stake", -5L)), SeloKit.net(SeloKit.amount(-1, 2)));
        shown.forEach(value -> System.out.println(SeloKit.Json.write(value)));
    }
}
