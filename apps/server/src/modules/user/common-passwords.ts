/**
 * The most common leaked passwords with at least eight characters, in lower case. Shorter passwords are rejected for
 * their length anyway.
 */
const words = `
password password1 password12 password123 password1234 passw0rd p@ssw0rd p@ssword pa55word passwort
12345678 123456789 1234567890 123123123 87654321 987654321 0987654321 11111111 111111111 1111111111
00000000 000000000 0000000000 22222222 33333333 44444444 55555555 66666666 77777777 88888888 99999999
12341234 11223344 1122334455 12121212 123321123 123454321 123456123 147258369 159753456 741852963
11112222 12344321 13579246 10203040 102030405060 31415926 01234567 012345678 0123456789 123456789a
1234567a 12345678a a1234567 a12345678 a123456789 1234qwer 123qwe123 12qwaszx 1q2w3e4r 1q2w3e4r5t
1q2w3e4r5t6y 1qaz2wsx 1qaz2wsx3edc 1qazxsw2 qazwsxedc qazwsx123 zaq12wsx zaq1zaq1 zaq1xsw2 2wsx3edc
qwertyui qwertyuiop qwerty12 qwerty123 qwerty1234 qwerty12345 qwerty123456 qwer1234 qweasdzxc qweqweqwe
qwe123qwe asdfghjk asdfghjkl asdf1234 asdfasdf asd123456 zxcvbnm1 zxcvbnm123 zxcvbnmm zxczxczxc
abcd1234 abc12345 abc123456 abcdefgh abcdefg1 aa123456 aa12345678 aaaaaaaa a1b2c3d4 a1b2c3d4e5 aabbccdd
iloveyou iloveyou1 iloveyou2 iloveyou123 ilovegod iloveme1 loveyou1 loveme123 mylove123 lovelove
sunshine sunshine1 princess princess1 football football1 baseball baseball1 basketball softball volleyball
superman superman1 batman123 spiderman pokemon1 pokemon123 starwars starwars1 michael1 michelle jennifer
jessica1 jessica123 ashley123 anthony1 charlie1 charlie123 daniel123 danielle elizabeth alexander
alexandra benjamin brittany brandon1 christian christina christine christopher courtney stephanie
samantha patricia kimberly jonathan nicholas nathaniel veronica victoria isabella gabriela fernando
francisco alejandro sebastian valentina cristina margarita carolina
computer internet welcome1 welcome123 welcome2 letmein1 letmein123 trustno1 whatever whatever1 master123
monkey12 monkey123 dragon12 dragon123 shadow123 killer123 hunter123 soccer123 hockey123 yankees1
changeme changeme1 changeme123 default1 temp1234 test1234 testtest test12345 testing1 testing123
admin123 admin1234 admin12345 administrator root1234 rootroot guest123 user1234 login123 secret123
access14 freedom1 chocolate butterfly cheese12 pepper123 mustang1 corvette mercedes porsche9 ferrari1
midnight november december february september scorpion platinum diamond1 blink182 metallica slipknot
liverpool liverpool1 chelsea1 arsenal1 barcelona realmadrid juventus manchester
summer2023 summer2024 summer2025 summer2026 winter2023 winter2024 winter2025 winter2026 spring2024
spring2025 spring2026 january1 monday123 friday13
google123 facebook facebook1 samsung1 samsung123 apple123 windows1 windows10 microsoft minecraft
minecraft1 fortnite roblox123 nintendo playstation xbox1234 naruto123 dragonball
qwertz123 qwertzui azertyui azertyuiop azerty123 motdepasse contraseña contrasena senha123 senha1234
parola123 haslo123 wachtwoord hallo123 schatz123 passwort1 passwort123 geheim123 bonjour1 soleil123
doudou123 nicolas1 teamo123 tequiero mariposa estrella princesa corazon1 bonita123 hermosa1
woaini1314 woaini520 woaini123 5201314520 13145201 asdasd123 qq123456 qq123456789 wang1234 zhang123
zxc12345 q1w2e3r4 q1w2e3r4t5 q12345678 qwe12345 w1234567 z1234567 z123456789 x1234567 as123456
`;

export const commonPasswords: ReadonlySet<string> = new Set(words.trim().split(/\s+/));
