"""Text for people in Portuguese, Chinese and English: messages, help, numbers, sanitised input."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.text.message_matching import recognised
    from selo.text.usage_error import wrong
else:
    __getattr__ = front_door(
        __name__,
        {
            "message_matching": ["recognised"],
            "usage_error": ["wrong"],
        },
    )

__all__ = [
    "condition_phrases",
    "error_translation",
    "help_text",
    "message_catalogue",
    "multilingual",
    "number_format",
    "recognised",
    "sanitize",
    "wrong",
]
