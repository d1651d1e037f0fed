"""Disclosure: parts of evidence that are shown without the rest, under the same root."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.examine.disclosure.disclosure_check import CheckedDisclosure, check_disclosure
    from selo.examine.disclosure.disclosure_file import (
        DisclosureBroken,
        WrittenDisclosure,
        write_disclosure,
    )
    from selo.examine.disclosure.provision_lines import (
        ProvisionLines,
        expand_provisions,
        find_provision_lines,
    )
else:
    __getattr__ = front_door(__name__)

__all__ = [
    "CheckedDisclosure",
    "DisclosureBroken",
    "ProvisionLines",
    "WrittenDisclosure",
    "check_disclosure",
    "expand_provisions",
    "find_provision_lines",
    "write_disclosure",
]
