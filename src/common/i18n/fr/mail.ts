export const mail = {
  'mail.address': 'Si le bouton ne fonctionne pas, ouvrez cette adresse\u00a0:',
  'mail.sender': 'Envoyé par {server}.',
  'mail.test.subject': 'Le courrier de {server} arrive',
  'mail.test.text':
    'Une personne responsable de ce serveur a envoyé cette lettre pour voir si son courrier arrive. Il arrive.',
  'mail.test.action': 'Aller au serveur',
  'mail.confirm.subject': 'Confirmez votre adresse pour {server}',
  'mail.confirm.text':
    'Bienvenue sur {server}\u00a0! Confirmez que cette adresse est bien la vôtre\u00a0; vous pourrez ensuite vous connecter.',
  'mail.confirm.changed':
    'Confirmez que cette adresse est la vôtre ; elle deviendra alors l’adresse de votre compte sur {server}.',
  'mail.confirm.stranger':
    'Si vous ne vous y êtes pas inscrit, quelqu’un s’est trompé d’adresse. Vous n’avez alors rien à faire.',
  'mail.confirm.action': 'Confirmer l’adresse',
  'mail.invite.subject': 'Invitation à {server}',
  'mail.invite.hello': 'Bonjour,',
  'mail.invite.hello-name': 'Bonjour {name},',
  'mail.invite.text': '{host} vous invite sur {server}. Ce lien permet de créer un compte, une seule fois.',
  'mail.invite.server': 'Vous êtes invité sur {server}. Ce lien permet de créer un compte, une seule fois.',
  'mail.invite.stranger': 'Si cela ne vous dit rien, vous n’avez rien à faire.',
  'mail.reset.subject': 'Nouveau mot de passe pour {server}',
  'mail.reset.text':
    'Quelqu’un a demandé un nouveau mot de passe pour votre compte {handle}. Ouvrez ce lien dans la journée pour en choisir un.',
  'mail.reset.stranger': 'Si ce n’était pas vous, vous n’avez rien à faire\u00a0: votre mot de passe reste inchangé.',
  'mail.reset.action': 'Choisir un nouveau mot de passe',
  'mail.address.subject': 'L’adresse de votre compte sur {server} a changé',
  'mail.address.text':
    'Ceci était l’adresse e-mail de votre compte sur {server}. Les messages vont désormais à une autre adresse, ou à aucune.',
  'mail.address.advice':
    'Si ce n’était pas vous, quelqu’un connaît votre mot de passe. Écrivez alors à ceux qui gèrent le serveur.',
  'mail.unsubscribe': 'Ne plus recevoir ces messages',
  'mail.guessing.subject': 'Quelqu’un essaie de deviner votre mot de passe sur {server}',
  'mail.guessing.text':
    'De nombreuses connexions à votre compte {handle} ont été tentées avec de mauvais mots de passe. Ces tentatives sont ralenties\u00a0; vous pouvez toujours vous connecter.',
  'mail.guessing.advice':
    'Si votre mot de passe est long et ne sert nulle part ailleurs, vous n’avez rien à faire. Sinon, choisissez-en un nouveau.',
  'mail.mfa.on.subject': 'Le second facteur de votre compte sur {server} est activé',
  'mail.mfa.on.text':
    'Désormais, la connexion à votre compte {handle} demande un code de votre application d’authentification. Gardez vos codes de récupération en lieu sûr : ils permettent de se connecter sans l’application.',
  'mail.mfa.off.subject': 'Le second facteur de votre compte sur {server} est désactivé',
  'mail.mfa.off.text':
    'Désormais, votre mot de passe suffit pour se connecter à votre compte {handle}. Ses codes de récupération sont supprimés aussi.',
  'mail.mfa.codes.subject': 'Nouveaux codes de récupération pour votre compte sur {server}',
  'mail.mfa.codes.text':
    'Votre compte {handle} a de nouveaux codes de récupération. Les précédents ne sont plus valables.',
  'mail.mfa.guessing.subject': 'Quelqu’un essaie de deviner les codes de votre compte sur {server}',
  'mail.mfa.guessing.text':
    'Une personne qui connaît le mot de passe de votre compte {handle} a envoyé beaucoup de codes erronés. De telles tentatives sont bloquées pour un moment. Si le code de votre application est refusé entre-temps, utilisez un code de récupération.',
  'mail.mfa.advice':
    'Si ce n’était pas vous, choisissez un nouveau mot de passe, puis vérifiez le second facteur de votre compte.',
  'mail.backup.subject': 'Votre archive de {server} est prête',
  'mail.backup.text':
    'L’archive de votre compte {handle} est prête. Elle contient vos publications, les images et autres fichiers que vous avez téléversés, et la liste des comptes que vous suivez, bloquez et masquez.',
  'mail.backup.ordered':
    'L’archive du compte {handle} que vous avez demandée est prête. Elle contient ses publications, les images et autres fichiers envoyés, et les listes des comptes suivis, bloqués et masqués.',
  'mail.backup.secret':
    'Quiconque a cette adresse peut la télécharger jusqu’à ce qu’elle soit supprimée dans {days} jours. Gardez cette adresse pour vous.',
  'mail.backup.action': 'Télécharger l’archive',
  'mail.report.subject': '{account} a été signalé',
  'mail.report.text':
    '{actor} a signalé {account} aux responsables de ce serveur. L’administration montre pourquoi, et ce qu’il y a à faire.',
  'mail.report.action': 'Aller au serveur',
  'mail.waiting.subject': '{account} voudrait rejoindre {server}',
  'mail.waiting.text': '{account} s’est inscrit sur {server} et attend d’être approuvé. Décidez dans l’administration.',
  'mail.waiting.action': 'Aller au serveur',
  'mail.waiting.reason': 'La raison donnée : {reason}',
  'mail.pending.subject': 'Votre inscription sur {server}',
  'mail.pending.text':
    'Les responsables de {server} doivent encore approuver votre compte {account}. Vous recevrez un autre message quand ils auront décidé.',
  'mail.pending.action': 'Aller au serveur',
  'mail.approved.subject': 'Bienvenue sur {server}',
  'mail.approved.text': 'Votre compte {account} a été approuvé. Vous pouvez maintenant vous connecter.',
  'mail.approved.action': 'Se connecter',
  'mail.rejected.subject': 'Votre inscription sur {server}',
  'mail.rejected.text':
    'Les responsables de {server} n’ont pas approuvé votre compte {account}. Vos données ont été supprimées.',
  'mail.rejected.action': 'Aller au serveur',

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
  'push.edited': '@{acct} a modifié un message que vous citez',
  'push.reblogged': '@{acct} partage\u00a0: {text}',
  'push.favourited': '@{acct} aime votre message',
  'push.followed': '@{acct} vous suit',
  'push.requested': '@{acct} souhaite vous suivre',
  'push.reacted': '@{acct} réagit avec {emoji}',
};
