/* Prints what the helpers of the kit make, one JSON value after another. */
#define _POSIX_C_SOURCE 200809L
#include "selo_kit.h"

static void show(void)
{
    fwrite(selo_text, 1, selo_length, stdout);
    putchar('\n');
    selo_length = 0;
}

static struct selo_value *read(const char *text)
{
    return selo_read(text, strlen(text));
}

int main(void)
{
    if (setjmp(selo_leave))
        return EXIT_FAILURE;
    struct selo_card card = selo_read_card(read("\"10H\""));
    selo_put("[%d,\"%c\"]", card.rank, card.suit), show();
    selo_put_card(14, 'h'), show();
    selo_put_card(12, 's'), show();
    selo_put("%d", selo_card_number(read("\"AC\""), "CDHS")), show();
    selo_put("%d", selo_card_number(read("\"KS\""), "CDHS")), show();
    selo_put("%d", selo_card_number(read("\"10H\""), "SHDC")), show();
    selo_put_card_of_number(22, "SHDC"), show();
    selo_put("%d", selo_figure_number(read("\"coin\""))), show();
    selo_put_figure(6), show();
    struct selo_throw dice = selo_read_throw(read("[3, 4, \"cocked\"]"));
    selo_put("[%d,%d,", dice.first, dice.second), selo_put_value(dice.lies), selo_put("]"), show();
    selo_put_throw(6, 5, "flat"), show();
    selo_put_throw(0, 5, "rail"), show();
    struct selo_tile tile = selo_read_tile(read("\"3/6\""));
    selo_put("[%d,%d]", tile.low, tile.high), show();
    selo_put_tile(4, 1), show();
    const double money[] = {1.95, 0.975, 0.1 + 0.2, -1.0};
    selo_put("[");
    for (int at = 0; at < 4; at++) {
        struct selo_amount amount = selo_units(money[at], 2);
        selo_put(amount.bottom == 1 ? "%s%lld" : "%s\"%lld/%lld\"", at ? "," : "", amount.top, amount.bottom);
    }
    selo_put("]"), show();
    selo_win(100, 8), show();
    selo_win_to_one(100, 3, 2), show();
    selo_win_to_one(5, 19, 20), show();
    selo_lose(), show();
    selo_stands(), show();
    selo_void(7), show();
    selo_from_net(100, 95), show();
    selo_from_net(100, -100), show();
    selo_from_total(100, 100), show();
    selo_refused(read("{\"stake\": -5}")), show();
    selo_net(selo_fraction(-1, 2)), show();
    return EXIT_SUCCESS;
}
