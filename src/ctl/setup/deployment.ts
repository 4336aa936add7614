import { caddyfile, nginxFile } from './proxy-files.js';

/** What the files of a server on a machine of its own depend on. */
export interface Deployment {
  /** The public host name, such as `social.example`. */
  readonly domain: string;
  readonly proxy: 'caddy' | 'nginx' | 'none';
  /** The local port. */
  readonly port: number;
  /** The user who runs the server. */
  readonly user: string;
  /** The folder of the program, absolute. */
  readonly program: string;
  /** The file of the environment, absolute. */
  readonly environment: string;
  /** The folder of everything that is stored, absolute. */
  readonly data: string;
  /** The Node that runs the program, absolute. */
  readonly node: string;
  /** Further variables of the environment. */
  readonly variables: Readonly<Record<string, string>>;
}

/** The files of a deployment by their names. */
export function deploymentFiles(deployment: Deployment): Record<string, string> {
  const { proxy } = deployment;
  return {
    '.env': environmentFile(deployment),
    'svc.service': serviceUnit(deployment),
    ...(proxy === 'caddy' ? { Caddyfile: caddyfile(deployment) } : {}),
    ...(proxy === 'nginx' ? { 'nginx.conf': nginxFile(deployment) } : {}),
  };
}

function environmentFile({ domain, port, data, proxy, variables }: Deployment): string {
  const all = {
    BASE_URL: `https://${domain}`,
    PORT: String(port),
    DATA_DIR: data,
    ...(proxy === 'none' ? {} : { TRUSTED_PROXIES: '127.0.0.1,::1' }),
    ...variables,
  };
  return [
    '# The environment of the server: docs/settings.md explains every variable.',
    '# BASE_URL becomes part of the identity of every account: do not change it once somebody has signed up.',
    ...Object.entries(all).map(([name, value]) => `${name}=${quoted(value)}`),
    '',
  ].join('\n');
}

/** A value as systemd, Node and shells read it alike. */
function quoted(value: string): string {
  return /^[\w.,:/@+-]*$/.test(value) ? value : `'${value}'`;
}

/** Whether {@link quoted} can write a value. */
export function isWritable(value: string): boolean {
  return !/['\\\p{Cc}]/u.test(value);
}

/** Whether a unit can name a path or a user: systemd splits at spaces and reads percent signs. */
export function isPlainWord(value: string): boolean {
  return !/['"\\%$\s\p{Cc}]/u.test(value) && value !== '';
}

function serviceUnit({ user, program, environment, data, node }: Deployment): string {
  const isAtHome = [program, data].some((path) => /^\/(?:home|root)\//.test(path));
  return `[Unit]
Description=svc, a federated social server
Wants=network-online.target
After=network-online.target postgresql.service redis-server.service

[Service]
User=${user}
WorkingDirectory=${program}
EnvironmentFile=${environment}
Environment=NODE_ENV=production MALLOC_ARENA_MAX=2
# It builds nothing: after a new version was fetched, "npm run build" does (docs/runbook.md).
ExecStart=${node} --max-semi-space-size=8 --no-parallel-scavenge --no-allocation-site-pretenuring --max-old-space-size=384 dist/main.js
Restart=always
RestartSec=2
# Requests and jobs get 30 seconds to end; only then the bundled PostgreSQL stops, by the server's own word.
KillMode=mixed
TimeoutStopSec=45
LimitNOFILE=65536

# It writes to its own folder and nowhere else, and gains no rights. With BACKUP_FOLDER: name that folder here too.
ReadWritePaths=${data}
ProtectSystem=strict
ProtectHome=${isAtHome ? 'read-only' : 'yes'}
PrivateTmp=yes
PrivateDevices=yes
NoNewPrivileges=yes
CapabilityBoundingSet=
AmbientCapabilities=
ProtectKernelTunables=yes
ProtectKernelModules=yes
ProtectKernelLogs=yes
ProtectControlGroups=yes
ProtectClock=yes
ProtectHostname=yes
ProtectProc=invisible
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
LockPersonality=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallFilter=~@privileged
SystemCallErrorNumber=EPERM
UMask=0077

[Install]
WantedBy=multi-user.target
`;
}
