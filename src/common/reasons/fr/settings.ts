import type { settings as german } from '../de/settings.js';

/** What the values of settings must be, in French, by the English text. */
export const settings: Readonly<Record<keyof typeof german, string>> = {
  'true or false': 'vrai ou faux (true ou false)',
  'one of {words}': 'l’un de {words}',
  'a list of at most {max} different items, each {words}':
    'une liste d’au plus {max} éléments différents, chacun {words}',
  'an object of {names}, each {words}': 'un objet de {names}, chacun {words}',
  'an object of {fields}': 'un objet de {fields}',
  '{name} ({words})': '{name} ({words})',
  'an object with names of your choice, each with {words}':
    'un objet aux noms de votre choix, chacun avec\u00a0: {words}',
  '[milliseconds, count], or two of these: for anonymous callers and for signed-in ones':
    '[millisecondes, nombre], ou deux de ceux-ci\u00a0: pour les visiteurs et pour les personnes connectées',
  'a host or "*." and a domain for all of its hosts, either with a port or without, alone or with a reason':
    'un hôte, ou «\u00a0*.\u00a0» et un domaine pour tous ses hôtes, avec ou sans port, seul ou avec un motif',
  'a text, or a regular expression as ~r/tea/i': 'un texte, ou une expression régulière comme ~r/the/i',
  '{words}, with what stands in its place': '{words}, avec ce qui le remplace',
  '{words}, the shortest duration no longer than the longest':
    '{words}, la durée la plus courte ne dépassant pas la plus longue',
  '{words}, with a list of policies': '{words}, avec une liste de règles',
  'a URL of http or https without a name and a password': 'une adresse en http ou https, sans nom ni mot de passe',
  'an IP address': 'une adresse IP',
  'a URL or a path that starts with a slash': 'une adresse web, ou un chemin qui commence par une barre oblique',
  'a language tag such as en or pt-BR': 'un code de langue comme en ou pt-BR',
  'an e-mail address, or empty': 'une adresse e-mail, ou vide',
  'a URL, or empty': 'une adresse web, ou vide',
  'a host, with its port if it has one of its own': 'un hôte, avec son port s’il en a un à lui',
  'scheme and host of a URL without a path, or empty': 'le schéma et l’hôte d’une adresse sans chemin, ou vide',
  'a host': 'un hôte',
  'a hashtag without #': 'un hashtag sans #',
  'the address of an account': 'l’adresse d’un compte',
  'the type of an activity or object': 'le type d’une activité ou d’un objet',
  'a domain, or empty': 'un domaine, ou vide',
  'a word of 2 to 31 of a-z, 0-9 and _ that begins with a letter, and that no path of the API begins with':
    'un mot de 2 à 31 signes parmi a-z, 0-9 et _, qui commence par une lettre et par lequel ne commence aucun chemin de l’interface',
  'at most 200 letters, digits and signs of ASCII without blanks, or empty':
    'au plus 200 lettres, chiffres et signes ASCII sans espace, ou vide',
  'a nickname': 'un nom de compte',
  'a nickname, or empty': 'un nom de compte, ou vide',
  'an e-mail address, or empty for that of all mail': 'une adresse e-mail, ou vide pour celle de tout le courrier',
};
