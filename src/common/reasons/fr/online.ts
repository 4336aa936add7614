import type { online as german } from '../de/online.js';

/** What the checks of the server from outside find, in French, by the English text. */
export const online: Readonly<Record<keyof typeof german, string>> = {
  'BASE_URL is {url}: other servers want https://': 'BASE_URL vaut {url} : les autres serveurs exigent https://.',
  '{host} is no public host name': '{host} n’est pas un nom d’hôte public.',
  '{host} has no A or AAAA record': '{host} n’a pas d’enregistrement A ou AAAA.',
  '{host} has no A or AAAA record: only this machine takes it for {address}':
    '{host} n’a pas d’enregistrement A ou AAAA : seule cette machine le prend pour {address}.',
  '{host} points to {address}, which nobody else can reach':
    '{host} mène à {address}, une adresse que personne d’autre ne peut joindre.',
  'there is none: put a reverse proxy with TLS in front': 'Il n’y a pas de chiffrement.',
  'no answer in time': 'Aucune réponse n’est venue à temps.',
  'the certificate is not valid: {reason}': 'Le certificat n’est pas valide : {reason}',
  'the certificate ends in {days} days': 'Le certificat expire ; jours restants : {days}.',
  '{url} answers {status} instead of leading to https': '{url} répond {status} au lieu de mener vers https.',
  '{url} does not answer: {reason}': '{url} ne répond pas : {reason}',
  '{host} answers {status}, and not as this server does': '{host} répond {status}, et pas comme le fait ce serveur.',
  'the proxy passes on X-Forwarded-For as the client wrote it: let it add the address':
    'Le proxy transmet X-Forwarded-For tel que le client l’a écrit, sans y ajouter son adresse.',
  'the proxy sends no X-Forwarded-For: all clients count as one':
    'Le proxy n’envoie pas X-Forwarded-For : tous les visiteurs comptent pour un seul.',
  'TRUSTED_PROXIES does not name {peer}: all clients count as one':
    'TRUSTED_PROXIES ne nomme pas {peer} : tous les visiteurs comptent pour un seul.',
  'TRUSTED_PROXIES names too many: clients can choose their address':
    'TRUSTED_PROXIES en nomme trop : les visiteurs peuvent choisir leur adresse.',
  'the proxy sends "Host: {host}" instead of {wanted}: signatures fail':
    'Le proxy envoie « Host: {host} » au lieu de {wanted} : les signatures échouent.',
  'the proxy changes or drops the header {header}': 'Le proxy modifie ou supprime l’en-tête {header}.',
  '{bytes} arrived': 'Octets arrivés : {bytes}.',
  '{bytes} bytes (instance.upload_limit) do not arrive: {reason}':
    '{bytes} octets (instance.upload_limit) n’arrivent pas : {reason}',
  'the proxy does not pass the upgrade on (Upgrade, Connection)':
    'Le proxy ne transmet pas le passage au WebSocket (Upgrade, Connection).',
  'the answer is {status}': 'La réponse est {status}.',
  'nothing comes through (does the proxy collect answers?): {reason}':
    'Rien ne passe (le proxy retient-il les réponses ?) : {reason}',
  '{url}: {reason}': '{url} : {reason}',
  '{url} leads to {target}: {reason}': '{url} mène à {target} : {reason}',
  '{url} answers {status}, without {wanted}': '{url} répond {status}, sans {wanted}.',
  'servers do not ask there, since the address is not public or not https':
    'Les serveurs ne s’y adressent pas, car l’adresse n’est pas publique ou pas en https.',
  'this machine is {seconds} seconds ahead: signatures and codes of apps fail':
    'L’horloge de cette machine avance de {seconds} secondes : les signatures et les codes d’applications échouent.',
  'this machine is {seconds} seconds behind: signatures and codes of apps fail':
    'L’horloge de cette machine retarde de {seconds} secondes : les signatures et les codes d’applications échouent.',
  'A check is running already': 'Une vérification est déjà en cours. Attendez qu’elle finisse.',
};
