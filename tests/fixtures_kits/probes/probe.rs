//! Prints what the helpers of the kit make, one JSON value after another.
mod selo_kit;
use selo_kit::*;

fn main() -> Result<(), Fault> {
    let (rank, suit) = read_card("10H")?;
    let (first, second, lies) = read_throw(&Json::read(r#"[3, 4, "cocked"]"#).unwrap())?;
    let (low, high) = read_tile("3/6")?;
    let number = |value: u8| Json::from(value as u64);
    let text = |value: String| Json::from(value.as_str());
    let mut money = Vec::new();
    for value in [1.95, 0.975, 0.1 + 0.2, -1.0] {
        money.push(units(value, 2)?.json());
    }
    let shown = [
        Json::Array(vec![number(rank), text(suit.to_string())]),
        text(write_card(14, "hearts")?), text(write_card(12, "s")?),
        number(card_number("AC", "CDHS")?), number(card_number("KS", "CDHS")?),
        number(card_number("10H", "SHDC")?), text(card_of_number(22, "SHDC")?),
        number(figure_number("coin")?), Json::from(figure_name(6)?),
        Json::Array(vec![number(first), number(second), text(lies)]),
        write_throw(6, 5, "flat"), write_throw(0, 5, "rail"),
        Json::Array(vec![number(low), number(high)]), text(write_tile(4, 1)), Json::Array(money),
        win(100, 8), win_to_one(100, 3, 2), win_to_one(5, 19, 20), lose(), stands(), void(7),
        from_net(100, 95)?, from_net(100, -100)?, from_total(100, 100)?,
        refused(&Json::read(r#"{"stake": -5}"#).unwrap()), net(amount(-1, 2)),
    ];
    for value in shown {
        println!("{}", value.written());
    }
    Ok(())
}
