import { ModerationLogService, OPERATOR } from '../admin/index.js';
import { FrontendsService } from '../instance/index.js';
import { UnitOfWork } from '../platform/index.js';
import { command, CommandError } from './frame/command.js';
import { readGiven } from './frame/given-file.js';
import { columns, json, JSON_OPTION } from './frame/output.js';

const list = command({
  words: 'frontend list',
  summary: 'Lists the web frontends that can be installed by name, and the installed versions of each.',
  options: { json: JSON_OPTION },
  example: 'frontend list',
  run: async (tools, _args, options) => {
    const frontends = await (await tools.services()).get(FrontendsService).list();
    if (options.json) tools.print(json(frontends));
    else
      tools.print(
        ...columns([
          ['NAME', 'VERSION', 'INSTALLED'],
          ...frontends.map(({ name, ref, installed_refs: refs }) => [name, ref, refs.join(', ') || '-']),
        ]),
      );
  },
});

const install = command({
  words: 'frontend install',
  summary: 'Installs a web frontend: by its name, from the address of a zip archive, or from one on this machine.',
  parameters: { name: 'Its name in "frontend list", or a new one.' },
  options: {
    ref: { type: 'string', help: 'Its version.' },
    file: { type: 'string', help: 'The zip archive of a build.' },
    'build-url': { type: 'string', help: 'The address of the zip archive; ${ref} in it stands for the version.' },
    'build-dir': { type: 'string', help: 'The folder of the archive that holds the build.' },
  },
  example: 'frontend install pleroma-fe --ref stable',
  writesFiles: true,
  run: async (tools, { name }, { ref, file, 'build-url': buildUrl, 'build-dir': buildDir }) => {
    const archive = file === undefined ? undefined : await readGiven(file);
    const services = await tools.services();
    tools.print(archive ? 'Unpacking …' : 'Downloading and unpacking …');
    const { brand, ...build } = await services
      .get(FrontendsService)
      .install({ name, ref, file: archive, buildUrl, buildDir })
      .catch((error: unknown) => explained(error, archive === undefined));
    const subject = { type: 'frontend', id: `${build.name}/${build.ref}` };
    await services
      .get(UnitOfWork)
      .run(() => services.get(ModerationLogService).record(OPERATOR, 'frontend_install', subject));
    const chosen = JSON.stringify(build);
    tools.print(
      `Installed ${build.name} ${build.ref}.`,
      `To show it to everybody: config set frontends.primary '${chosen}'`,
      `To show it below /svc/admin/: config set frontends.admin '${chosen}'`,
      ...(brand === undefined
        ? []
        : [`It asks for the API under the name ${brand}: config set instance.compat_brand ${brand}`]),
    );
  },
});

export const frontendCommands = [list, install];

function explained(error: unknown, isFetched: boolean): never {
  if (!(error instanceof Error) || !(error.cause instanceof Error)) throw error;
  const otherWay = isFetched ? '. An archive on this machine is taken with --file.' : '';
  throw new CommandError(`${error.message}: ${error.cause.message}${otherWay}`);
}
