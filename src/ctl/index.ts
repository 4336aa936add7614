import { accountCommands } from './account.commands.js';
import { announcementsCommands } from './announcements.commands.js';
import { backupCommands } from './backup.commands.js';
import { blocksCommands } from './blocks.commands.js';
import { configCommands, keysCommands } from './config.commands.js';
import { databaseCommands } from './database.commands.js';
import { demoCommands } from './demo.commands.js';
import { emojiCommands } from './emoji.commands.js';
import { feedsCommands } from './feeds.commands.js';
import { hostsCommands } from './hosts.commands.js';
import { frontendCommands } from './frontend.commands.js';
import { inviteCommands } from './invite.commands.js';
import { jobsCommands } from './jobs.commands.js';
import { mailCommands } from './mail.commands.js';
import { mediaCommands } from './media.commands.js';
import { postCommands } from './post.commands.js';
import { relayCommands } from './relay.commands.js';
import { rulesCommands } from './rules.commands.js';
import { setupCommands } from './setup.commands.js';
import { storageCommands } from './storage.commands.js';
import { admissionCommands } from './admission.commands.js';
import { userCommands } from './user.commands.js';

export { CommandError, EnvironmentError, type Services, type Tools, UsageError } from './frame/command.js';
export { hintOf, requestOf } from './frame/help.js';

/** Every operator command, in the order of the help text. */
export const commands = [
  ...setupCommands,
  ...userCommands,
  ...admissionCommands,
  ...accountCommands,
  ...postCommands,
  ...frontendCommands,
  ...inviteCommands,
  ...databaseCommands,
  ...backupCommands,
  ...storageCommands,
  ...jobsCommands,
  ...hostsCommands,
  ...blocksCommands,
  ...configCommands,
  ...feedsCommands,
  ...emojiCommands,
  ...keysCommands,
  ...mailCommands,
  ...mediaCommands,
  ...relayCommands,
  ...rulesCommands,
  ...announcementsCommands,
  ...demoCommands,
];
