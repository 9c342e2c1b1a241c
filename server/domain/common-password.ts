import { Fault } from "./faults/fault.ts";

/** Passwords of at least 8 characters that attackers try first, in lower case. */
const COMMON: ReadonlySet<string> = new Set(
  `00000000 01234567 0123456789 0987654321 11111111 111111111 1111111111 11223344 12121212 12341234 1234abcd
  12344321 12345678 123456789 1234567890 123456789a 12345678910 12345qwert 123123123 123321123 123654789 123qweasd
  13131313 147258369 1q2w3e4r 1q2w3e4r5t 1qaz2wsx 1qazxsw2 22222222 31415926 33333333 44444444 55555555 66666666
  77777777 87654321 88888888 987654321 9876543210 99999999 a1234567 a12345678 a123456789 aa123456 aaaaaaaa abc12345
  abcd1234 abcdefgh abcdefg1 access14 admin123 admin1234 admin12345 adminadmin administrator alexander asdf1234
  asdfasdf asdfghjk asdfghjkl babygirl baseball basketball blink182 butterfly caroline changeme changeme1 changeme123
  charlie1 chocolate computer corvette danielle default1 dragon123 dragonball elizabeth einstein facebook football
  football1 freedom1 garfield google123 hello123 hellohello holdall1 holdall123 iloveyou iloveyou1 internet jennifer
  jessica1 jonathan jordan23 letmein1 letmein123 liverpool lovelove master123 maverick michael1 michelle midnight
  monkey123 myspace1 nicholas password password! password0 password1 password1! password12 password123 password1234
  passw0rd p@ssw0rd p@ssword pa55word pa$$word passpass pokemon1 princess princess1 q1w2e3r4 q1w2e3r4t5 qazwsxedc
  qq123456 qwer1234 qwerasdf qwert123 qwerty12 qwerty123 qwerty1234 qwerty12345 qwertyui qwertyuiop qweqweqwe
  root1234 rootroot samantha secret123 secretsecret starwars starwars1 summer2024 summer2025 summer2026 sunshine
  sunshine1 superman superman1 test1234 testtest trustno1 victoria welcome1 welcome123 whatever william1 winter2024
  winter2025 winter2026 zaq12wsx zaq1zaq1 zxcvbnm1 zxcvbnm123`.split(/\s+/),
);

/** Fault "invalid": it is one of the passwords that attackers try first, whatever its case. */
export function rejectCommonPassword(password: string): void {
  if (!COMMON.has(password.normalize("NFKC").toLowerCase())) return;
  throw new Fault(
    "invalid",
    "This password is one of the first that attackers try. Choose another one, such as a few words.",
  );
}
