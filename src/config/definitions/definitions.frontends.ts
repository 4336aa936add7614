import { type Definitions, setting } from './setting.js';
import { fields, list, record, text } from './value-types.js';

const name = text(0, 200);
const url = text(0, 2_000);
const chosen = fields(name, 'name', 'ref');
const NONE = { name: '', ref: '' };
const git = 'https://git.pleroma.social/pleroma';
const artifact = (project: string, job: string) => `${project}/-/jobs/artifacts/\${ref}/download?job=${job}`;

/** Frontends that are known by name. `${ref}` in the address of a build stands for its version. */
const KNOWN = {
  'pleroma-fe': {
    name: 'pleroma-fe',
    git: `${git}/pleroma-fe`,
    build_url: artifact(`${git}/pleroma-fe`, 'build'),
    build_dir: 'dist',
    ref: 'develop',
  },
  'admin-fe': {
    name: 'admin-fe',
    git: `${git}/admin-fe`,
    build_url: artifact(`${git}/admin-fe`, 'build'),
    build_dir: 'dist',
    ref: 'develop',
  },
  'soapbox-fe': {
    name: 'soapbox-fe',
    git: 'https://gitlab.com/soapbox-pub/soapbox',
    build_url: artifact('https://gitlab.com/soapbox-pub/soapbox', 'build-production'),
    build_dir: 'static',
    ref: 'develop',
  },
};

/** Web apps that this server serves itself. */
export const frontendDefinitions = {
  'frontends.primary': setting(
    chosen,
    NONE,
    "The installed frontend that people see in place of this server's own pages, and its version. Empty: the own pages.",
  ),
  'frontends.admin': setting(
    chosen,
    NONE,
    'The installed frontend for administration below `/svc/admin/`, and its version. Empty: none.',
  ),
  'frontends.pickable': setting(
    list(name, 100),
    [],
    'The installed frontends that people may choose for themselves at `/frontend_switcher`, as `name/version`.',
  ),
  'frontends.available': setting(
    record(fields(url, 'name', 'git', 'build_url', 'build_dir', 'ref')),
    KNOWN,
    'The frontends that can be installed by name: where their source code and builds are, the folder of the archive that holds the build, and the version.',
  ),
} satisfies Definitions;
