"""Subjects and texts of e-mails, in the languages of the web pages."""

from typing import Literal

Change = Literal["address", "password", "passkey-added", "passkey-removed", "recovery-code"]

VERIFY = {
    "en": (
        "Ludarium: your code",
        "{code}\n\nThis code shows {origin} that the address is yours. It is good for {hours} hours.\n"
        "If you have not asked for it, you need do nothing.\n",
    ),
    "es": (
        "Ludarium: tu código",
        "{code}\n\nCon este código muestras a {origin} que la dirección es tuya. Vale durante {hours} horas.\n"
        "Si no lo has pedido, no tienes que hacer nada.\n",
    ),
    "hu": (
        "Ludarium: a kódod",
        "{code}\n\nEzzel a kóddal igazolod a(z) {origin} felé, hogy a cím a tiéd. {hours} óráig érvényes.\n"
        "Ha nem te kérted, nincs teendőd.\n",
    ),
}
RESET = {
    "en": (
        "Ludarium: a new password",
        "{code}\n\nWith this code you set a new password at {origin}. It is good for {hours} hours, once.\n"
        "If you have not asked for it, you need do nothing: your password stays as it is.\n",
    ),
    "es": (
        "Ludarium: una contraseña nueva",
        "{code}\n\nCon este código pones una contraseña nueva en {origin}. Vale durante {hours} horas, una vez.\n"
        "Si no lo has pedido, no tienes que hacer nada: tu contraseña sigue igual.\n",
    ),
    "hu": (
        "Ludarium: új jelszó",
        "{code}\n\nEzzel a kóddal új jelszót állíthatsz be itt: {origin}. {hours} óráig érvényes, egyszer.\n"
        "Ha nem te kérted, nincs teendőd: a jelszavad nem változik.\n",
    ),
}
TEXTS = {"verify": VERIFY, "reset": RESET}

CHANGED = {
    "en": (
        "Ludarium: your account has changed",
        "{change}\n\nIf this was you, you need do nothing.\nIf not, sign in at {origin}/account, set a new password, and "
        "remove passkeys that are not yours. If you cannot sign in any more, write to the people who run this server.\n",
    ),
    "es": (
        "Ludarium: tu cuenta ha cambiado",
        "{change}\n\nSi has sido tú, no tienes que hacer nada.\nSi no, inicia sesión en {origin}/account, pon una contraseña "
        "nueva y elimina las llaves de acceso que no sean tuyas. Si ya no puedes entrar, "
        "escribe a quienes administran este servidor.\n",
    ),
    "hu": (
        "Ludarium: megváltozott a fiókod",
        "{change}\n\nHa te voltál, nincs teendőd.\nHa nem, lépj be itt: {origin}/account, állíts be új jelszót, és töröld a "
        "nem tőled származó jelkulcsokat. Ha már nem tudsz belépni, írj a szerver üzemeltetőinek.\n",
    ),
}
CHANGES: dict[str, dict[Change, str]] = {
    "en": {
        "address": "The e-mail address of your account at {origin} was changed or removed. It is no longer this one.",
        "password": "The password of your account at {origin} was changed.",
        "passkey-added": "A passkey was added to your account at {origin}.",
        "passkey-removed": "A passkey was removed from your account at {origin}.",
        "recovery-code": "Your account at {origin} has a new recovery code.",
    },
    "es": {
        "address": "Se ha cambiado o eliminado el correo de tu cuenta en {origin}. Esta dirección ya no le pertenece.",
        "password": "Se ha cambiado la contraseña de tu cuenta en {origin}.",
        "passkey-added": "Se ha añadido una llave de acceso a tu cuenta en {origin}.",
        "passkey-removed": "Se ha eliminado una llave de acceso de tu cuenta en {origin}.",
        "recovery-code": "Tu cuenta en {origin} tiene un código de recuperación nuevo.",
    },
    "hu": {
        "address": "Megváltozott vagy megszűnt a fiókod e-mail-címe itt: {origin}. Ez a cím már nem tartozik hozzá.",
        "password": "Megváltozott a fiókod jelszava itt: {origin}.",
        "passkey-added": "Új jelkulcs került a fiókodhoz itt: {origin}.",
        "passkey-removed": "Töröltek egy jelkulcsot a fiókodból itt: {origin}.",
        "recovery-code": "Új helyreállító kódot kapott a fiókod itt: {origin}.",
    },
}


def notice(change: Change, locale: str, origin: str) -> tuple[str, str]:
    """Return the subject and text of a message about a change to an account."""
    subject, text = CHANGED[locale]
    return subject, text.format(change=CHANGES[locale][change].format(origin=origin), origin=origin)
