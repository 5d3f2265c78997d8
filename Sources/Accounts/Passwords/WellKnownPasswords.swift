/// Passwords of ten characters and more that stand at the top of every list of stolen ones, in lower case; shorter ones are refused for
/// their length, rows of keys and repetitions by `PasswordQuality`.
enum WellKnownPasswords {
    static let all: Set<String> = Set(
        """
        password10 password11 password12 password13 password123 password1234 password12345 passw0rd123 passwordpassword
        passwort123 contrasena contraseña contrasena1 contraseña1 contraseña123 mypassword mypassword1 newpassword letmein123
        letmeinnow welcome123 welcome1234 changeme123 administrator administrador amministratore adminadmin admin12345
        admin123456 superadmin superman123 batman1234 qwerty1234 qwerty12345 qwerty123456 qwertyqwerty iloveyou12 iloveyou123
        iloveyou1234 iloveyousomuch iloveyouforever iloveyoubaby iloveyoumore loveyou123 lovelylove princess123 princess12
        sunshine123 sunshine12 football12 football123 baseball12 baseball123 basketball basketball1 volleyball cheerleader
        california california1 washington manchester manchesterunited liverpool1 liverpool123 liverpoolfc chelsea1234
        arsenal123 barcelona1 barcelona10 barcelona123 realmadrid realmadrid1 atleticomadrid juventus123 juventus1897
        forzajuve1 forzamilan forzainter forzaroma1 forzanapoli napoli1926 internazionale fcinter1908 acmilan1899 asroma1927
        giuseppe12 giuseppe123 alessandro alessandro1 alessandra alessandra1 francesco1 francesco123 francesca1 francesca123
        antonella1 antonio123 andrea1234 valentina1 valentina123 martina123 federica123 federico123 giovanni123 stefania123
        leonardo123 ferrari123 cristina123 alejandro1 alejandro123 alejandra1 sebastian1 sebastian123 guadalupe1 estrellita
        estrella123 tequieromucho teamomucho teamoteamo teamo12345 tiamoamore tiamotanto tiamoancora amoremio12 amoremio123
        amoreamore bellissima principessa principessa1 cucciolo123 cioccolato chocolate1 chocolate12 chocolate123 corazon123
        mariposa123 hellokitty hellokitty1 helloworld helloworld1 spongebob1 pokemon123 pokemon1234 minecraft1 minecraft123
        starwars123 dragonball dragonballz butterfly1 butterfly123 strawberry blackberry blueberries cinderella elizabeth1
        elizabeth123 christopher christian1 christian123 christina1 anthony123 alexander1 alexander123 alexandra1 charlotte1
        gabriella1 gabriela123 jennifer12 jennifer123 stephanie1 jonathan123 katherine1 nicholas123 patricia123 rebecca123
        samantha12 samantha123 michelle12 michelle123 michael123 michael1234 jordan12345 jessica123 ashley1234 charlie123
        computer12 computer123 internet12 internet123 whatever12 whatever123 trustno1234 freedom123 monkey1234 dragon1234
        master1234 shadow1234 killer1234 mustang123 secret1234 secretpass summer2020 summer2021 summer2022 summer2023
        summer2024 summer2025 summer2026 winter2020 winter2021 winter2022 winter2023 winter2024 winter2025 winter2026
        spring2024 spring2025 spring2026 autumn2024 autumn2025 autumn2026 estate2024 estate2025 estate2026 verano2024
        verano2025 verano2026 inverno2024 inverno2025 invierno2025 test123456 testtest12 testtest123 guest12345 default123
        tinkerbell motorcycle lamborghini harleydavidson skateboard playstation playstation3 watermelon friendship
        friendsforever motherfucker fuckyou123 fuckyou1234 jesuschrist jesusislord godisgood1 thankyoujesus blessed123
        gesucristo diosesamor correcthorsebatterystaple
        """.split { $0.isWhitespace }.map(String.init))

    /// What people begin a password with that is to be none.
    static let stems = [
        "password", "passwort", "passw0rd", "p@ssword", "p@ssw0rd", "contrasena", "contraseña", "parola", "qwerty",
        "azerty",
        "welcome", "benvenuto", "bienvenido", "letmein", "admin", "iloveyou", "changeme", "secret", "123456",
    ]
}
