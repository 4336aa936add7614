/** What the checks of the server from outside find, in German, by the English text. */
export const online = {
  'BASE_URL is {url}: other servers want https://': 'BASE_URL ist {url}: Andere Server verlangen https://.',
  '{host} is no public host name': '{host} ist kein öffentlicher Name eines Rechners.',
  '{host} has no A or AAAA record': '{host} hat keinen A- oder AAAA-Eintrag.',
  '{host} has no A or AAAA record: only this machine takes it for {address}':
    '{host} hat keinen A- oder AAAA-Eintrag: Nur dieser Rechner versteht darunter {address}.',
  '{host} points to {address}, which nobody else can reach':
    '{host} führt zu {address}. Diese Adresse erreicht sonst niemand.',
  'there is none: put a reverse proxy with TLS in front': 'Es gibt keine Verschlüsselung.',
  'no answer in time': 'Es kam nicht rechtzeitig eine Antwort.',
  'the certificate is not valid: {reason}': 'Das Zertifikat ist ungültig: {reason}',
  'the certificate ends in {days} days': 'Das Zertifikat läuft ab, in Tagen: {days}.',
  '{url} answers {status} instead of leading to https': '{url} antwortet mit {status}, statt zu https zu führen.',
  '{url} does not answer: {reason}': '{url} antwortet nicht: {reason}',
  '{host} answers {status}, and not as this server does':
    '{host} antwortet mit {status}, und nicht so, wie dieser Server es tut.',
  'the proxy passes on X-Forwarded-For as the client wrote it: let it add the address':
    'Der Proxy gibt X-Forwarded-For so weiter, wie es der Absender geschrieben hat, ohne dessen Adresse anzufügen.',
  'the proxy sends no X-Forwarded-For: all clients count as one':
    'Der Proxy schickt kein X-Forwarded-For: Alle Besucher zählen als einer.',
  'TRUSTED_PROXIES does not name {peer}: all clients count as one':
    'TRUSTED_PROXIES nennt {peer} nicht: Alle Besucher zählen als einer.',
  'TRUSTED_PROXIES names too many: clients can choose their address':
    'TRUSTED_PROXIES nennt zu viele: Besucher können sich ihre Adresse aussuchen.',
  'the proxy sends "Host: {host}" instead of {wanted}: signatures fail':
    'Der Proxy schickt „Host: {host}“ statt {wanted}: Signaturen gelten dann nicht.',
  'the proxy changes or drops the header {header}': 'Der Proxy verändert oder verschluckt den Header {header}.',
  '{bytes} arrived': 'Es kamen {bytes} an.',
  '{bytes} bytes (instance.upload_limit) do not arrive: {reason}':
    '{bytes} Bytes (instance.upload_limit) kommen nicht an: {reason}',
  'the proxy does not pass the upgrade on (Upgrade, Connection)':
    'Der Proxy gibt den Wechsel zum WebSocket nicht weiter (Upgrade, Connection).',
  'the answer is {status}': 'Die Antwort ist {status}.',
  'nothing comes through (does the proxy collect answers?): {reason}':
    'Es kommt nichts durch (sammelt der Proxy Antworten?): {reason}',
  '{url}: {reason}': '{url}: {reason}',
  '{url} leads to {target}: {reason}': '{url} führt zu {target}: {reason}',
  '{url} answers {status}, without {wanted}': '{url} antwortet mit {status}, ohne {wanted}.',
  'servers do not ask there, since the address is not public or not https':
    'Dort fragen Server nicht nach, weil die Adresse nicht öffentlich oder nicht https ist.',
  'this machine is {seconds} seconds ahead: signatures and codes of apps fail':
    'Die Uhr dieses Rechners geht {seconds} Sekunden vor: Signaturen und Codes von Apps gelten dann nicht.',
  'this machine is {seconds} seconds behind: signatures and codes of apps fail':
    'Die Uhr dieses Rechners geht {seconds} Sekunden nach: Signaturen und Codes von Apps gelten dann nicht.',
  'A check is running already': 'Es läuft schon eine Prüfung. Warte bitte auf ihr Ende.',
} as const satisfies Readonly<Record<string, string>>;
