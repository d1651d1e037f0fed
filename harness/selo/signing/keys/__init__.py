"""Keys, certificates, timestamps and the demonstration authority."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.signing.keys.demo_authority import demonstration
    from selo.signing.keys.demo_mark import is_demonstration
    from selo.signing.keys.demo_tsa import TimeAuthority
    from selo.signing.keys.passphrase import secret
    from selo.signing.keys.pkcs11_token import Place, on_token
    from selo.signing.keys.pkcs12_keys import Key, from_pkcs12
else:
    __getattr__ = front_door(
        __name__,
        {
            "demo_authority": ["demonstration"],
            "demo_mark": ["is_demonstration"],
            "demo_tsa": ["TimeAuthority"],
            "passphrase": ["secret"],
            "pkcs11_token": ["Place", "on_token"],
            "pkcs12_keys": ["Key", "from_pkcs12"],
        },
    )

__all__ = [
    "Key",
    "Place",
    "TimeAuthority",
    "certificates",
    "demonstration",
    "from_pkcs12",
    "is_demonstration",
    "on_token",
    "secret",
    "timestamps",
]
