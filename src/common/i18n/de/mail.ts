export const mail = {
  'mail.address': 'Falls der Knopf nicht geht, öffne diese Adresse:',
  'mail.sender': 'Gesendet von {server}.',
  'mail.test.subject': 'Post von {server} kommt an',
  'mail.test.text':
    'Jemand, der diesen Server betreibt, hat diesen Brief geschickt, um zu sehen, ob die Post ankommt. Sie kommt an.',
  'mail.test.action': 'Zum Server',
  'mail.confirm.subject': 'Bestätige deine Adresse für {server}',
  'mail.confirm.text':
    'Willkommen bei {server}! Bestätige bitte, dass dies deine Adresse ist; dann kannst du dich anmelden.',
  'mail.confirm.changed':
    'Bitte bestätige, dass das deine Adresse ist; dann wird sie die Adresse deines Kontos auf {server}.',
  'mail.confirm.stranger':
    'Wenn du dich dort nicht registriert hast, hat sich jemand vertippt. Dann musst du nichts tun.',
  'mail.confirm.action': 'Adresse bestätigen',
  'mail.invite.subject': 'Einladung zu {server}',
  'mail.invite.hello': 'Hallo,',
  'mail.invite.hello-name': 'Hallo {name},',
  'mail.invite.text': '{host} lädt dich zu {server} ein. Mit diesem Link kannst du einmal ein Konto erstellen.',
  'mail.invite.server': 'Du bist zu {server} eingeladen. Mit diesem Link kannst du einmal ein Konto erstellen.',
  'mail.invite.stranger': 'Wenn du davon nichts weißt, musst du nichts tun.',
  'mail.reset.subject': 'Neues Passwort für {server}',
  'mail.reset.text':
    'Jemand hat für dein Konto {handle} ein neues Passwort angefordert. Öffne diesen Link innerhalb eines Tages, um eines zu wählen.',
  'mail.reset.stranger': 'Wenn du das nicht warst, musst du nichts tun: Dein Passwort bleibt, wie es ist.',
  'mail.reset.action': 'Neues Passwort wählen',
  'mail.address.subject': 'Die Adresse deines Kontos auf {server} hat sich geändert',
  'mail.address.text':
    'Dies war die E-Mail-Adresse deines Kontos auf {server}. Nachrichten gehen ab jetzt an eine andere Adresse oder an keine.',
  'mail.address.advice':
    'Wenn du das nicht warst, kennt jemand dein Passwort. Schreib dann bitte denen, die den Server betreiben.',
  'mail.unsubscribe': 'Diese Nachrichten abbestellen',
  'mail.guessing.subject': 'Jemand versucht, dein Passwort auf {server} zu erraten',
  'mail.guessing.text':
    'Bei deinem Konto {handle} wurden viele Anmeldungen mit falschen Passwörtern versucht. Solche Versuche werden gebremst; du selbst kannst dich weiterhin anmelden.',
  'mail.guessing.advice':
    'Wenn dein Passwort lang ist und du es nirgends sonst verwendest, musst du nichts tun. Wähle sonst bitte ein neues.',
  'mail.mfa.on.subject': 'Der zweite Faktor deines Kontos auf {server} ist eingeschaltet',
  'mail.mfa.on.text':
    'Die Anmeldung bei deinem Konto {handle} braucht ab jetzt einen Code deiner Authenticator-App. Bewahre deine Wiederherstellungscodes an einem sicheren Ort auf: Mit ihnen meldest du dich ohne die App an.',
  'mail.mfa.off.subject': 'Der zweite Faktor deines Kontos auf {server} ist ausgeschaltet',
  'mail.mfa.off.text':
    'Für die Anmeldung bei deinem Konto {handle} genügt ab jetzt dein Passwort. Auch die Wiederherstellungscodes sind gelöscht.',
  'mail.mfa.codes.subject': 'Neue Wiederherstellungscodes für dein Konto auf {server}',
  'mail.mfa.codes.text': 'Dein Konto {handle} hat neue Wiederherstellungscodes. Die früheren gelten nicht mehr.',
  'mail.mfa.guessing.subject': 'Jemand versucht, die Codes deines Kontos auf {server} zu erraten',
  'mail.mfa.guessing.text':
    'Jemand, der das Passwort deines Kontos {handle} kennt, hat viele falsche Codes geschickt. Solche Versuche werden für eine Weile unterbunden. Wird der Code deiner App solange abgelehnt, nimm einen Wiederherstellungscode.',
  'mail.mfa.advice':
    'Wenn du das nicht warst, wähle bitte ein neues Passwort und sieh dann nach dem zweiten Faktor deines Kontos.',
  'mail.backup.subject': 'Dein Archiv von {server} ist fertig',
  'mail.backup.text':
    'Das Archiv deines Kontos {handle} ist fertig. Es enthält deine Beiträge, die Bilder und anderen Dateien, die du hochgeladen hast, und Listen derer, denen du folgst, die du blockierst und die du stummgeschaltet hast.',
  'mail.backup.ordered':
    'Das Archiv des Kontos {handle}, das du angefordert hast, ist fertig. Es enthält die Beiträge, die hochgeladenen Bilder und anderen Dateien und Listen derer, denen das Konto folgt und die es blockiert oder stummgeschaltet hat.',
  'mail.backup.secret':
    'Wer diese Adresse hat, kann es herunterladen, bis es in {days} Tagen entfernt wird. Behalte die Adresse für dich.',
  'mail.backup.action': 'Archiv herunterladen',
  'mail.report.subject': '{account} wurde gemeldet',
  'mail.report.text':
    '{actor} hat {account} denen gemeldet, die sich um diesen Server kümmern. In der Verwaltung steht, warum, und was zu tun ist.',
  'mail.report.action': 'Zum Server',
  'mail.waiting.subject': '{account} möchte bei {server} mitmachen',
  'mail.waiting.text':
    '{account} hat sich bei {server} angemeldet und wartet auf Freigabe. Entscheide in der Verwaltung.',
  'mail.waiting.action': 'Zum Server',
  'mail.waiting.reason': 'Der angegebene Grund: {reason}',
  'mail.pending.subject': 'Deine Registrierung bei {server}',
  'mail.pending.text':
    'Die Betreiber von {server} müssen dein Konto {account} noch freigeben. Du bekommst eine weitere Mail, wenn sie entschieden haben.',
  'mail.pending.action': 'Zum Server',
  'mail.approved.subject': 'Willkommen bei {server}',
  'mail.approved.text': 'Dein Konto {account} wurde freigegeben. Du kannst dich jetzt einloggen.',
  'mail.approved.action': 'Einloggen',
  'mail.rejected.subject': 'Deine Registrierung bei {server}',
  'mail.rejected.text':
    'Die Betreiber von {server} haben dein Konto {account} nicht freigegeben. Deine Angaben wurden gelöscht.',
  'mail.rejected.action': 'Zum Server',

  'push.mention': 'Neue Erwähnung',
  'push.direct': 'Neue Direktnachricht',
  'push.status': 'Neuer Beitrag',
  'push.update': 'Bearbeiteter Beitrag',
  'push.quote': 'Neues Zitat',
  'push.reblog': 'Neue Wiederholung',
  'push.favourite': 'Neuer Favorit',
  'push.follow': 'Neuer Follower',
  'push.request': 'Neue Folgeanfrage',
  'push.poll': 'Ergebnis der Umfrage',
  'push.chat': 'Neue Chatnachricht',
  'push.reaction': 'Neue Reaktion',
  'push.other': 'Neue Mitteilung',
  'push.wrote': '@{acct}: {text}',
  'push.edited': '@{acct} hat einen Beitrag bearbeitet, den du zitierst',
  'push.reblogged': '@{acct} wiederholt: {text}',
  'push.favourited': '@{acct} gefällt dein Beitrag',
  'push.followed': '@{acct} folgt dir',
  'push.requested': '@{acct} möchte dir folgen',
  'push.reacted': '@{acct} reagiert mit {emoji}',
};
