"""Lets a vendor answer the requests of a file: ``answer_vectors.py REQUESTS ANSWERS COMMAND …``."""

import subprocess
import sys
from pathlib import Path

if __name__ == "__main__":
    _, requests, answers, *command = sys.argv
    with Path(requests).open("rb") as asked, Path(answers).open("wb") as answered:
        subprocess.run(command, stdin=asked, stdout=answered, check=True)
