export const mail = {
  'mail.address': 'If the button does not work, open this address:',
  'mail.sender': 'Sent by {server}.',
  'mail.test.subject': 'Mail from {server} arrives',
  'mail.test.text': 'Somebody who runs this server sent this letter to see whether its mail arrives. It does.',
  'mail.test.action': 'Go to the server',
  'mail.confirm.subject': 'Confirm your address for {server}',
  'mail.confirm.text': 'Welcome to {server}! Please confirm that this is your address; then you can log in.',
  'mail.confirm.changed':
    'Please confirm that this is your address; then it becomes the address of your account on {server}.',
  'mail.confirm.stranger': 'If you did not sign up there, somebody mistyped an address. Then you need not do anything.',
  'mail.confirm.action': 'Confirm the address',
  'mail.invite.subject': 'Invitation to {server}',
  'mail.invite.hello': 'Hello,',
  'mail.invite.hello-name': 'Hello {name},',
  'mail.invite.text': '{host} invites you to {server}. With this link you can create an account, once.',
  'mail.invite.stranger': 'If you do not know about this, you need not do anything.',
  'mail.reset.subject': 'New password for {server}',
  'mail.reset.text':
    'Somebody asked for a new password for your account {handle}. Open this link within a day to choose one.',
  'mail.reset.stranger': 'If this was not you, you need not do anything: your password stays as it is.',
  'mail.reset.action': 'Choose a new password',
  'mail.address.subject': 'The address of your account on {server} has changed',
  'mail.address.text':
    'This was the e-mail address of your account on {server}. Letters go to another address from now on, or to none.',
  'mail.address.advice': 'If this was not you, somebody knows your password. Please write to those who run the server.',
  'mail.unsubscribe': 'Stop these mails',
  'mail.guessing.subject': 'Someone is guessing your password on {server}',
  'mail.guessing.text':
    'Many log-ins to your account {handle} were tried with wrong passwords. Such attempts are slowed down; you can still log in.',
  'mail.guessing.advice':
    'If your password is long and you use it nowhere else, you need not do anything. Otherwise, please choose a new one.',
  'mail.mfa.on.subject': 'The second factor of your account on {server} is on',
  'mail.mfa.on.text':
    'From now on, signing in to your account {handle} takes a code of your authenticator app. Keep your recovery codes in a safe place: they sign you in without the app.',
  'mail.mfa.off.subject': 'The second factor of your account on {server} is off',
  'mail.mfa.off.text':
    'From now on, your password is enough to sign in to your account {handle}. Its recovery codes are gone too.',
  'mail.mfa.codes.subject': 'New recovery codes for your account on {server}',
  'mail.mfa.codes.text': 'Your account {handle} got new recovery codes. The earlier ones are not valid any more.',
  'mail.mfa.guessing.subject': 'Someone is guessing the codes of your account on {server}',
  'mail.mfa.guessing.text':
    'Somebody who knows the password of your account {handle} sent many wrong codes. Such attempts are stopped for a while. If the code of your app is refused meanwhile, use a recovery code.',
  'mail.mfa.advice':
    'If this was not you, please choose a new password, then look at the second factor of your account.',
  'mail.backup.subject': 'Your archive of {server} is ready',
  'mail.backup.text':
    'The archive of your account {handle} is ready. It holds your posts, the pictures and other files you uploaded, and lists of whom you follow, block and mute.',
  'mail.backup.ordered':
    'The archive of the account {handle}, which you ordered, is ready. It holds its posts, the pictures and other files it uploaded, and lists of whom it follows, blocks and mutes.',
  'mail.backup.secret':
    'Whoever has this address can download it until it is removed in {days} days. Keep the address to yourself.',
  'mail.backup.action': 'Download the archive',
  'mail.report.subject': '{account} has been reported',
  'mail.report.text':
    '{actor} has reported {account} to those who look after this server. Open the administration to see why, and what to do.',
  'mail.report.action': 'Go to the server',
  'mail.waiting.subject': '{account} would like to join {server}',
  'mail.waiting.text': '{account} signed up on {server} and waits for approval. Open the administration to decide.',
  'mail.waiting.action': 'Go to the server',
  'mail.waiting.reason': 'The reason given: {reason}',
  'mail.pending.subject': 'Your registration on {server}',
  'mail.pending.text':
    'Those who look after {server} are still to approve your account {account}. You get another mail when they have decided.',
  'mail.pending.action': 'Go to the server',
  'mail.approved.subject': 'Welcome to {server}',
  'mail.approved.text': 'Your account {account} was approved. You can sign in now.',
  'mail.approved.action': 'Sign in',
  'mail.rejected.subject': 'Your registration on {server}',
  'mail.rejected.text':
    'Those who look after {server} did not approve your account {account}. What you entered was deleted.',
  'mail.rejected.action': 'Go to the server',

  'push.mention': 'New Mention',
  'push.direct': 'New Direct Message',
  'push.status': 'New Post',
  'push.update': 'Edited Post',
  'push.quote': 'New Quote',
  'push.reblog': 'New Repeat',
  'push.favourite': 'New Favorite',
  'push.follow': 'New Follower',
  'push.request': 'New Follow Request',
  'push.poll': 'Poll Results',
  'push.chat': 'New Chat Message',
  'push.reaction': 'New Reaction',
  'push.other': 'New Notification',
  'push.wrote': '@{acct}: {text}',
  'push.edited': '@{acct} edited a post that you quoted',
  'push.reblogged': '@{acct} repeated: {text}',
  'push.favourited': '@{acct} has favorited your post',
  'push.followed': '@{acct} has followed you',
  'push.requested': '@{acct} wants to follow you',
  'push.reacted': '@{acct} reacted with {emoji}',
} as const;
