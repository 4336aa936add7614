import { type Deployment, deploymentFiles } from './deployment.js';

const deployment: Deployment = {
  domain: 'social.example',
  proxy: 'none',
  port: 4000,
  user: 'svc',
  program: '/opt/svc',
  environment: '/opt/svc/.env',
  data: '/var/lib/svc',
  node: '/opt/svc/node_modules/node/bin/node',
  variables: { SMTP_URL: 'smtps://svc:password@mail.example' },
};

const withCaddy = deploymentFiles({ ...deployment, proxy: 'caddy' });
const withNginx = deploymentFiles({ ...deployment, proxy: 'nginx' });

/** The files in `examples/` that `ctl setup` would write, by their paths. `npm run examples` writes them. */
export const EXAMPLES: Readonly<Record<string, string | undefined>> = {
  'examples/systemd/svc.service': withCaddy['svc.service'],
  'examples/systemd/svc.env': withCaddy['.env'],
  'examples/caddy/Caddyfile': withCaddy['Caddyfile'],
  'examples/nginx/nginx.conf': withNginx['nginx.conf'],
};
