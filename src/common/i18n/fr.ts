import type { Messages } from './messages.js';

/** What this server says in French. */
export const fr: Messages = {
  'page.skip': 'Aller au contenu',
  'page.software': '{software} est un logiciel libre sous licence {license}.',
  'page.source': 'Code source',
  'page.home': 'Aller à la page d’accueil',

  'landing.figures': 'Ce serveur en chiffres',
  'landing.people': { one: 'personne', many: 'de personnes', other: 'personnes' },
  'landing.posts': { one: 'message', many: 'de messages', other: 'messages' },
  'landing.servers': { one: 'serveur connu', many: 'de serveurs connus', other: 'serveurs connus' },
  'landing.members-only': 'Ce serveur est réservé à ses membres.',
  'landing.app.title': 'S’en servir avec une application',
  'landing.app.choose':
    'Choisissez une application pour le fédivers\u00a0: sur téléphone, sur ordinateur ou sur le web.',
  'landing.app.address': 'Quand elle demande votre serveur, saisissez cette adresse\u00a0:',
  'landing.app.login': 'Connectez-vous avec votre compte.',
  'landing.join.title': 'Participer',
  'landing.join.open': 'Tout le monde peut s’inscrire. Cherchez «\u00a0Créer un compte\u00a0» dans l’application.',
  'landing.join.approval':
    'Tout le monde peut demander un compte\u00a0; les responsables du serveur examinent chaque demande. Cherchez «\u00a0Créer un compte\u00a0» dans l’application.',
  'landing.join.closed': 'Aucun nouveau compte n’est ouvert pour le moment.',
  'landing.join.handle': 'Sur tous les serveurs du fédivers, on vous trouvera sous le nom {handle}.',
  'landing.join.you': 'vous',
  'landing.rules.title': 'Les règles d’ici',
  'landing.contact.title': 'Contact',
  'landing.contact.person': '{handle} s’occupe de ce serveur.',
  'landing.contact.mail': 'Écrivez à {address}.',
  'landing.developers.title': 'Pour les développeurs',
  'landing.developers.text': 'Ce que les applications doivent savoir de ce serveur se trouve à {link}.',
  'landing.developers.reference': 'La façon de lui parler se trouve dans {reference}.',
  'landing.developers.reference-name': 'la référence de son API',

  'post.untitled': 'Une publication de {name}',

  'api.title': 'L’API de ce serveur',
  'api.lead':
    'Tout ce que les applications peuvent demander à ce serveur. Les programmes lisent la même chose à l’adresse {document} (OpenAPI 3.1).',
  'api.prefixes': 'Ce qui se trouve sous {newer} se trouve aussi sous {older}.',
  'api.contents': 'Sommaire',
  'api.shapes': 'De quoi sont faites les réponses',
  'api.access.public': 'Pour tout le monde.',
  'api.access.optional': 'Pour tout le monde ; une fois connecté, on en voit peut-être davantage.',
  'api.access.user': 'Pour les personnes connectées.',
  'api.access.app': 'Pour les applications, même sans personne connectée.',
  'api.access.admin': 'Pour l’administration du serveur.',
  'api.required': 'obligatoire',
  'api.default': 'sinon {value}',
  'api.answer': 'Réponse :',

  'error.403.title': 'Ceci ne vous est pas destiné',
  'error.403.text': 'Il faut peut-être se connecter, ou bien quelqu’un en a décidé ainsi.',
  'error.404.title': 'Il n’y a rien ici',
  'error.404.text': 'L’adresse est peut-être mal saisie, ou ce qui se trouvait ici n’existe plus.',
  'error.429.title': 'C’était un peu trop',
  'error.429.text': 'Patientez un instant, puis réessayez.',
  'error.503.title': 'De retour dans un instant',
  'error.503.text': 'Le serveur ne peut pas répondre en ce moment. Réessayez bientôt.',
  'error.4xx.title': 'Cela n’a pas fonctionné',
  'error.4xx.text': 'Le serveur n’a pas compris la demande.',
  'error.5xx.title': 'Un problème est survenu',
  'error.5xx.text': 'Vous n’y êtes pour rien. Si vous le signalez, indiquez ce numéro\u00a0: {id}',

  'confirm.invalid.title': 'Ce lien ne fonctionne pas',
  'confirm.invalid.text':
    'Il a peut-être plus d’une semaine, ou il est incomplet. Votre application peut faire envoyer une nouvelle lettre.',

  'mail.address': 'Si le bouton ne fonctionne pas, ouvrez cette adresse\u00a0:',
  'mail.sender': 'Envoyé par {server}.',
  'mail.test.subject': 'Le courrier de {server} arrive',
  'mail.test.text':
    'Une personne responsable de ce serveur a envoyé cette lettre pour voir si son courrier arrive. Il arrive.',
  'mail.test.action': 'Aller au serveur',
  'mail.confirm.subject': 'Confirmez votre adresse pour {server}',
  'mail.confirm.text':
    'Bienvenue sur {server}\u00a0! Confirmez que cette adresse est bien la vôtre\u00a0; vous pourrez ensuite vous connecter.',
  'mail.confirm.stranger':
    'Si vous ne vous y êtes pas inscrit, quelqu’un s’est trompé d’adresse. Vous n’avez alors rien à faire.',
  'mail.confirm.action': 'Confirmer l’adresse',
  'mail.backup.subject': 'Votre archive de {server} est prête',
  'mail.backup.text':
    'L’archive de votre compte {handle} est prête. Elle contient vos publications, les images et autres fichiers que vous avez téléversés, et la liste des comptes que vous suivez, bloquez et masquez.',
  'mail.backup.secret':
    'Quiconque a cette adresse peut la télécharger jusqu’à ce qu’elle soit supprimée dans {days} jours. Gardez cette adresse pour vous.',
  'mail.backup.action': 'Télécharger l’archive',
  'mail.report.subject': '{account} a été signalé',
  'mail.report.text':
    '{actor} a signalé {account} aux responsables de ce serveur. L’administration montre pourquoi, et ce qu’il y a à faire.',
  'mail.report.action': 'Aller au serveur',

  'push.mention': 'Nouvelle mention',
  'push.direct': 'Nouveau message direct',
  'push.status': 'Nouveau message',
  'push.update': 'Message modifié',
  'push.quote': 'Nouvelle citation',
  'push.reblog': 'Nouveau partage',
  'push.favourite': 'Nouveau favori',
  'push.follow': 'Nouvel abonné',
  'push.request': 'Nouvelle demande d’abonnement',
  'push.poll': 'Résultats du sondage',
  'push.chat': 'Nouveau message de discussion',
  'push.reaction': 'Nouvelle réaction',
  'push.other': 'Nouvelle notification',
  'push.wrote': '@{acct}\u00a0: {text}',
  'push.reblogged': '@{acct} partage\u00a0: {text}',
  'push.favourited': '@{acct} aime votre message',
  'push.followed': '@{acct} vous suit',
  'push.requested': '@{acct} souhaite vous suivre',
  'push.reacted': '@{acct} réagit avec {emoji}',
};
