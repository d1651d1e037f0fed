"""Keys, certificates, timestamps and the demonstration authority."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.signing.keys.demo_authority import make_demo_authority
    from selo.signing.keys.demo_mark import is_demonstration
    from selo.signing.keys.demo_tsa import DemoTimeAuthority
    from selo.signing.keys.passphrase import read_secret
    from selo.signing.keys.pkcs11_token import TokenKeyLocation, open_token_key
    from selo.signing.keys.pkcs12_keys import SigningKey, load_pkcs12
else:
    __getattr__ = front_door(__name__)

__all__ = [
    "DemoTimeAuthority",
    "SigningKey",
    "TokenKeyLocation",
    "certificates",
    "is_demonstration",
    "load_pkcs12",
    "make_demo_authority",
    "open_token_key",
    "read_secret",
    "timestamps",
]
