// Prints what the helpers of the kit make, one JSON value after another.
import * as kit from "./selo_kit.mjs";

const { rank, suit } = kit.readCard("10H");
const { first, second, lies } = kit.readThrow([3, 4, "cocked"]);
const shown = [
  [rank, suit], kit.writeCard(14, "hearts"), kit.writeCard(12, "s"),
  kit.cardNumber("AC"), kit.cardNumber("KS"), kit.cardNumber("10H", "SHDC"),
  kit.cardOfNumber(22, "SHDC"), kit.figureNumber("coin"), kit.figureName(6),
  [first, second, lies], kit.writeThrow(6, 5), kit.writeThrow(0, 5, "rail"),
  kit.readTile("3/6"), kit.writeTile(4, 1),
  [1.95, 0.975, 0.1 + 0.2, -1.0].map((value) => kit.units(value)),
  kit.win(100, 8), kit.winToOne(100, 3, 2), kit.winToOne(5, 19, 20), kit.lose(), kit.stands(),
  kit.voided(7), kit.fromNet(100, 95), kit.fromNet(100, -100), kit.fromTotal(100, 100),
  kit.refused({ bet: "?", stake: -5 }), kit.net(kit.amount(-1, 2)),
];
for (const value of shown) console.log(JSON.stringify(value));
