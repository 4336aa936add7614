/** What the values of settings must be, in German, by the English text. */
export const settings = {
  'true or false': 'wahr oder falsch (true oder false)',
  'one of {words}': 'eines von {words}',
  'a list of at most {max} different items, each {words}':
    'eine Liste aus höchstens {max} verschiedenen Einträgen, jeder {words}',
  'an object of {names}, each {words}': 'ein Objekt aus {names}, jedes {words}',
  'an object of {fields}': 'ein Objekt aus {fields}',
  '{name} ({words})': '{name} ({words})',
  'an object with names of your choice, each with {words}':
    'ein Objekt mit frei gewählten Namen, zu jedem gehört: {words}',
  '[milliseconds, count], or two of these: for anonymous callers and for signed-in ones':
    '[Millisekunden, Anzahl], oder zwei davon: für Besucher und für Angemeldete',
  'a host or "*." and a domain for all of its hosts, either with a port or without, alone or with a reason':
    'ein Rechnername oder „*.“ und eine Domain für alle Rechner darin, mit Port oder ohne, allein oder mit einem Grund',
  'a text, or a regular expression as ~r/tea/i': 'ein Text oder ein regulärer Ausdruck wie ~r/tee/i',
  '{words}, with what stands in its place': '{words}, und was an dessen Stelle tritt',
  '{words}, the shortest duration no longer than the longest':
    '{words}, die kürzeste Dauer nicht länger als die längste',
  '{words}, with a list of policies': '{words}, und eine Liste von Richtlinien',
  'a URL of http or https without a name and a password': 'eine Adresse mit http oder https, ohne Namen und Passwort',
  'an IP address': 'eine IP-Adresse',
  'a URL or a path that starts with a slash': 'eine Webadresse oder ein Pfad, der mit einem Schrägstrich beginnt',
  'a language tag such as en or pt-BR': 'ein Sprachkürzel wie en oder pt-BR',
  'an e-mail address, or empty': 'eine E-Mail-Adresse oder leer',
  'a URL, or empty': 'eine Webadresse oder leer',
  'a host, with its port if it has one of its own': 'ein Rechnername, mit Port, wenn er einen eigenen hat',
  'scheme and host of a URL without a path, or empty': 'Schema und Rechner einer Adresse ohne Pfad, oder leer',
  'a host': 'ein Rechnername',
  'a hashtag without #': 'ein Hashtag ohne #',
  'the address of an account': 'die Adresse eines Kontos',
  'the type of an activity or object': 'die Art einer Aktivität oder eines Objekts',
  'a domain, or empty': 'eine Domain oder leer',
  'a word of 2 to 31 of a-z, 0-9 and _ that begins with a letter, and that no path of the API begins with':
    'ein Wort aus 2 bis 31 Zeichen von a-z, 0-9 und _, das mit einem Buchstaben beginnt, und mit dem kein Pfad der Schnittstelle beginnt',
  'at most 200 letters, digits and signs of ASCII without blanks, or empty':
    'höchstens 200 Buchstaben, Ziffern und Zeichen aus ASCII ohne Leerzeichen, oder leer',
  'a nickname': 'ein Kontoname',
  'a nickname, or empty': 'ein Kontoname oder leer',
  'an e-mail address, or empty for that of all mail': 'eine E-Mail-Adresse, oder leer für die aller Briefe',
} as const satisfies Readonly<Record<string, string>>;
