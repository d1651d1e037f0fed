"""Text for people in three languages: messages, help, number formats, sanitised input."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.text.message_catalogue import say
    from selo.text.multilingual import LAW_LANGUAGES, Text, Words
    from selo.text.usage_error import user_error
else:
    __getattr__ = front_door(__name__)

__all__ = [
    "LAW_LANGUAGES",
    "Text",
    "Words",
    "error_translation",
    "help_text",
    "message_catalogue",
    "number_format",
    "sanitize",
    "say",
    "user_error",
]
