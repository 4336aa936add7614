export const start = {
  'start.link.title': 'Willkommen',
  'start.link.text': 'Dieser Link meldet dich als Verwalter dieses Servers an.',
  'start.link.submit': 'Anmelden und anfangen',
  'start.link.over':
    'Dieser Link wurde schon benutzt oder ist älter als 15 Minuten. Melde dich mit dem Passwort an, das der erste Start ausgegeben hat.',
  'start.title': 'Erste Schritte',
  'start.lead':
    'Ein neuer Server, Schritt für Schritt. Komm zurück, wann du willst: Was erledigt ist, hat ein Häkchen.',
  'start.done': 'erledigt',
  'start.name': 'Gib dem Server einen Namen und sag, wofür er da ist',
  'start.picture': 'Gib dir einen Namen und ein Bild',
  'start.rules': 'Schreib die Regeln auf',
  'start.admission': 'Entscheide, wer sich registrieren darf',
  'start.admission.now.open': 'Jetzt: alle.',
  'start.admission.now.approval': 'Jetzt: alle, die du freischaltest.',
  'start.admission.now.invited': 'Jetzt: Leute mit einer Einladung.',
  'start.admission.now.closed': 'Jetzt: niemand.',
  'start.invite': 'Lade jemanden ein',
  'start.app': 'Probier eine App aus',
  'start.app.text': 'Jede davon fragt nach deinem Server: Gib {address} ein.',
  'start.app.code': 'Die Adresse dieses Servers als Bild für die Kamera eines Telefons',
  'start.frontend': 'Installiere eine Web-App, wenn du ein anderes Aussehen möchtest',
  'start.frontend.text': 'Besucher sehen sie dann anstelle dieser Seiten, wenn du das so wählst.',
  'start.online': 'Bring ihn ins Netz',
  'start.online.text': 'Leute anderswo erreichen diesen Server unter {url}.',
  'start.online.local':
    'Diese Adresse gilt nur auf diesem Rechner. Setze BASE_URL auf die Adresse, die die Welt kennt, bevor du Freunde findest: Sie lässt sich später nicht ändern.',
  'start.post': 'Schreib den ersten Beitrag',
  'start.source': 'Nenn den Quelltext',
  'start.source.text':
    'Jede Seite verweist dann darauf. Wer die Software verändert hat, muss den Leuten hier den Quelltext anbieten: Das verlangt die Lizenz.',
  'start.online.check': 'Das Kapitel {chapter} zeigt, wie es geht. Dieselbe Prüfung macht der Befehl {command}.',
};
