"""What letters say, in the languages of the pages: subject and text."""

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
