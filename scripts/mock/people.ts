import { createHash } from 'node:crypto';

/** A person of the generated data. */
export interface Person {
  firstName: string;
  lastName: string;
  title: string;
  /** Unique, also where two people have one name. */
  account: string;
}

/** Names of several scripts and lengths, from one character to the longest that a name may have. */
const firstNames = [
  ...['Amélie', 'Jonas', 'Fatima', 'Li', 'Søren', 'Priya', 'Mateo', 'Юлия', 'Ngozi', '健太', 'Zoë', 'Ahmed'],
  ...['Björn', '아름', 'Chiara', 'Ἑλένη', 'Þóra', 'محمد', 'O', 'Aiyana', 'Łukasz', 'Siân', 'नेहा', 'Iñaki'],
  ...['שרה', 'Marie-Antoinette Joséphine', 'Kwame', 'ณัฐพล', 'Anahit', 'Tariq', 'Jürgen'],
];
const lastNames = [
  ...[
    'Dubois',
    'Weber',
    'al-Sayed',
    'Wang',
    'Kierkegård',
    'Raman',
    'de la Cruz',
    'Соколова',
    'Adeyemi',
    '佐藤',
  ],
  ...["O'Brien", 'Hassan', 'Ström', '김', 'Bianchi', 'Παπαδοπούλου', 'Jónsdóttir', 'الحسن', 'Ng', 'Begay'],
  ...['Wiśniewski', 'Llewellyn', 'शर्मा', 'Etxeberria', 'כהן', 'Mensah', 'สุขใจ', 'Hakobyan', 'Qureshi'],
  ...[
    'Featherstonehaugh-Cholmondeley',
    'von und zu Hohenstein-Waldenburg',
    'Wolfeschlegelsteinhausenbergerdorffwelchevoralternwarengewissenhaftschaferswessenschafewarenwohlgepf',
  ],
  ...['Müller', 'Silva', 'Novák', 'Kaya', 'Smith'],
];
const titles = [
  ...[
    'Claims adjuster',
    'Intake clerk',
    'Team lead',
    '',
    'Fraud analyst',
    'Schadensachbearbeiterin',
    'Actuary',
  ],
  ...['Senior vice president of cross-border recoveries, subrogation and reinsurance', '査定担当', 'Auditor'],
];

/** The person of a number, counted from 1: always the same one. */
export function personOf(number: number): Person {
  const at = (list: readonly string[]) => list[number % list.length] ?? '';
  const [firstName, lastName] = [at(firstNames), at(lastNames)];
  const ascii = `${firstName}.${lastName}`.normalize('NFD').toLowerCase();
  const account = `${ascii.replaceAll(/[^a-z.]/g, '').replaceAll(/^\.|\.$/g, '') || 'user'}.${number}`;
  return { firstName, lastName, title: at(titles), account };
}

/** A UUID of version 8 (RFC 9562, section 5.8) that follows from a text. */
export function derivedUuid(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-a$4-$5');
}
