import { AdminSettingsService, OPERATOR } from '../admin/index.js';
import { type SettingReport, SettingsConfirmations, SettingsService, VapidKeys } from '../config/index.js';
import { command, CommandError, type Tools } from './frame/command.js';
import { columns, json, JSON_OPTION } from './frame/output.js';

const PATH = 'The path of the setting, see docs/settings.md.';
const CONFIRM_MS = 5_000;

const dump = command({
  words: 'config dump',
  summary: 'Shows every live setting; * marks those that were changed.',
  options: { json: JSON_OPTION },
  example: 'config dump',
  run: async (tools, _args, options) => {
    const reports = (await tools.services()).get(SettingsService).dump();
    if (options.json) tools.print(json(reports));
    else tools.print(...columns(reports.map(row)));
  },
});

const get = command({
  words: 'config get',
  summary: 'Shows the value of a live setting as JSON.',
  parameters: { path: PATH },
  example: 'config get instance.limit',
  run: async (tools, { path }) => {
    tools.print(JSON.stringify((await report(tools, path)).value));
  },
});

const set = command({
  words: 'config set',
  summary: 'Changes a live setting, also of the running server.',
  parameters: { path: PATH, value: 'JSON; anything else is taken as a text.' },
  example: "config set instance.name 'Our place'",
  run: async (tools, { path, value }) => {
    await change(tools, path, (settings, id) => settings.change(OPERATOR, [{ path, value: jsonOrText(value) }], id));
  },
});

const reset = command({
  words: 'config reset',
  summary: 'Sets a live setting back to its default.',
  parameters: { path: PATH },
  example: 'config reset instance.limit',
  run: async (tools, { path }) => {
    await change(tools, path, (settings, id) => settings.reset(OPERATOR, path, id));
  },
});

const showKeys = command({
  words: 'keys show',
  summary: 'Shows the public key that apps subscribe to web push with.',
  example: 'keys show',
  run: async (tools) => {
    const services = await tools.services();
    tools.print(`vapid  ${await services.get(VapidKeys).publicKey()}`);
  },
});

export const configCommands = [dump, get, set, reset];
export const keysCommands = [showKeys];

/** Makes a change, waits until the running servers follow it or a timeout has passed, and shows the value. */
async function change(
  tools: Tools,
  path: string,
  make: (settings: AdminSettingsService, changeId: string) => Promise<void>,
): Promise<void> {
  const settings = (await tools.services()).get(AdminSettingsService);
  const { doubts } = await followed(tools, (id) => make(settings, id));
  tools.print(`${path} = ${JSON.stringify((await report(tools, path)).value)}`, ...doubts);
}

/**
 * Makes a change of settings, and returns when the running servers follow it or a timeout has passed.
 * @returns what the change returned, and a line for the operator when not all servers confirmed it
 */
export async function followed<T>(
  tools: Tools,
  make: (changeId: string) => Promise<T>,
): Promise<{ readonly result: T; readonly doubts: readonly string[] }> {
  const confirmations = (await tools.services()).get(SettingsConfirmations);
  const { result, running, confirmed } = await confirmations.afterChange(make, CONFIRM_MS);
  if (confirmed >= running) return { result, doubts: [] };
  const seconds = `within ${CONFIRM_MS / 1_000} s`;
  if (running === 1) return { result, doubts: [`Stored, but the running server did not confirm it ${seconds}.`] };
  return { result, doubts: [`Stored, but only ${confirmed} of ${running} running servers confirmed it ${seconds}.`] };
}

async function report(tools: Tools, path: string): Promise<SettingReport> {
  const found = (await tools.services())
    .get(SettingsService)
    .dump()
    .find((setting) => setting.path === path);
  if (!found) throw new CommandError(`${path} is not a setting.`);
  return found;
}

function row({ path, value, stored }: SettingReport): string[] {
  return [stored ? '*' : ' ', path, JSON.stringify(value)];
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
