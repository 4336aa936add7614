import type { Messages } from './messages.js';

/** What this server says in German. */
export const de: Messages = {
  'page.skip': 'Zum Inhalt springen',
  'page.software': '{software} ist freie Software unter der {license}.',
  'page.source': 'Quelltext',
  'page.home': 'Zur Startseite',

  'landing.figures': 'Dieser Server in Zahlen',
  'landing.people': { one: 'Mensch', other: 'Menschen' },
  'landing.posts': { one: 'Beitrag', other: 'Beiträge' },
  'landing.servers': { one: 'bekannter Server', other: 'bekannte Server' },
  'landing.members-only': 'Dieser Server ist für seine Mitglieder da.',
  'landing.app.title': 'Mit einer App nutzen',
  'landing.app.choose': 'Such dir eine App fürs Fediverse aus: auf dem Telefon, dem Rechner oder im Web.',
  'landing.app.address': 'Wenn sie nach deinem Server fragt, gib diese Adresse ein:',
  'landing.app.login': 'Melde dich mit deinem Konto an.',
  'landing.join.title': 'Mitmachen',
  'landing.join.open': 'Alle können sich anmelden. Such in der App nach „Konto erstellen“.',
  'landing.join.approval':
    'Alle können um ein Konto bitten; wer den Server betreibt, sieht sich jede Bitte an. Such in der App nach „Konto erstellen“.',
  'landing.join.closed': 'Zurzeit werden keine neuen Konten vergeben.',
  'landing.join.handle': 'Auf jedem Server im Fediverse findet man dich als {handle}.',
  'landing.join.you': 'du',
  'landing.contact.title': 'Kontakt',
  'landing.contact.person': '{handle} kümmert sich um diesen Server.',
  'landing.contact.mail': 'Schreib an {address}.',
  'landing.developers.title': 'Für Entwickler',
  'landing.developers.text': 'Was Apps über diesen Server wissen müssen, steht unter {link}.',

  'error.403.title': 'Das ist nicht für dich bestimmt',
  'error.403.text': 'Vielleicht musst du dich anmelden, oder jemand möchte es so.',
  'error.404.title': 'Hier ist nichts',
  'error.404.text': 'Vielleicht ist die Adresse vertippt, oder was hier stand, ist fort.',
  'error.429.title': 'Das war etwas viel',
  'error.429.text': 'Warte bitte einen Moment und versuch es dann noch einmal.',
  'error.503.title': 'Gleich wieder da',
  'error.503.text': 'Der Server kann gerade nicht antworten. Versuch es bitte bald noch einmal.',
  'error.4xx.title': 'Das hat nicht geklappt',
  'error.4xx.text': 'Der Server konnte mit der Anfrage nichts anfangen.',
  'error.5xx.title': 'Etwas ist schiefgegangen',
  'error.5xx.text': 'Es liegt nicht an dir. Wenn du es meldest, nenne diese Nummer: {id}',

  'mail.address': 'Falls der Knopf nicht geht, öffne diese Adresse:',
  'mail.sender': 'Gesendet von {server}.',
  'mail.test.subject': 'Post von {server} kommt an',
  'mail.test.text':
    'Jemand, der diesen Server betreibt, hat diesen Brief geschickt, um zu sehen, ob die Post ankommt. Sie kommt an.',
  'mail.test.action': 'Zum Server',
};
