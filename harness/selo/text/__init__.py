"""Text for people in Portuguese, Chinese and English: messages, help, numbers, sanitised input."""
