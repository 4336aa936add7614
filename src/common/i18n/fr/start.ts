export const start = {
  'start.link.title': 'Bienvenue',
  'start.link.text': 'Ce lien vous connecte en tant qu’administrateur de ce serveur.',
  'start.link.submit': 'Se connecter et commencer',
  'start.link.over':
    'Ce lien a déjà servi, ou il a plus de 15 minutes. Connectez-vous avec le mot de passe affiché au premier démarrage.',
  'start.title': 'Premiers pas',
  'start.lead': 'Un nouveau serveur, étape par étape. Revenez quand vous voulez : ce qui est fait porte une marque.',
  'start.done': 'fait',
  'start.name': 'Donnez un nom au serveur et dites à quoi il sert',
  'start.picture': 'Donnez-vous un nom et une image',
  'start.rules': 'Écrivez les règles',
  'start.admission': 'Décidez qui peut s’inscrire',
  'start.admission.now.open': 'Actuellement : tout le monde.',
  'start.admission.now.approval': 'Actuellement : ceux que vous approuvez.',
  'start.admission.now.invited': 'Actuellement : les personnes invitées.',
  'start.admission.now.closed': 'Actuellement : personne.',
  'start.invite': 'Invitez quelqu’un',
  'start.app': 'Essayez une application',
  'start.app.text': 'Chacune demande votre serveur : saisissez {address}.',
  'start.app.code': 'L’adresse de ce serveur en image pour l’appareil photo d’un téléphone',
  'start.frontend': 'Installez une application web, si vous voulez une autre apparence',
  'start.frontend.text': 'Les visiteurs la voient alors à la place de ces pages, si vous le choisissez.',
  'start.online': 'Mettez-le en ligne',
  'start.online.text': 'Les autres joignent ce serveur à l’adresse {url}.',
  'start.online.local':
    'Cette adresse ne fonctionne que sur cette machine. Donnez à BASE_URL l’adresse connue du monde avant de nouer des contacts : elle ne peut plus changer ensuite.',
  'start.post': 'Écrivez le premier message',
  'start.source': 'Indiquez le code source',
  'start.source.text':
    'Chaque page y renvoie alors. Qui a modifié le logiciel doit en offrir la source aux gens d’ici : la licence l’exige.',
  'start.online.check':
    'Le chapitre {chapter} montre comment faire. Cette commande vérifie si les autres joignent le serveur :',
};
