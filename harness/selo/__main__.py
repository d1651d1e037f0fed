"""``python -m selo``: the same as the command."""

from selo.cli import main

if __name__ == "__main__":
    main()
