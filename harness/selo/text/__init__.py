"""Text for people in Portuguese, Chinese and English: messages, help, numbers, sanitised input."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.text.message_matching import match_message
    from selo.text.usage_error import user_error
else:
    __getattr__ = front_door(
        __name__,
        {
            "message_matching": ["match_message"],
            "usage_error": ["user_error"],
        },
    )

__all__ = [
    "condition_phrases",
    "error_translation",
    "help_text",
    "match_message",
    "message_catalogue",
    "multilingual",
    "number_format",
    "sanitize",
    "user_error",
]
