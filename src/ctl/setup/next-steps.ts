import { join } from 'node:path';
import type { Deployment } from './deployment.js';

/**
 * What is left to do by hand after the files were written.
 * @param folder where the unit and the file of the proxy lie
 */
export function nextSteps({ domain, proxy, user, environment, data }: Deployment, folder: string): string[] {
  const steps = [
    `Let the DNS name ${domain} point to this machine (A, and AAAA with IPv6), and open the ports 80 and 443.`,
    ...(user === 'root' ? ['Better not as root: "useradd --system svc", and once more with --user svc --force.'] : []),
    `Build it: npm run build. Let ${user} own what it writes: mkdir -p ${data} && chown -R ${user} ${data}`,
    `Let ${user} read the environment: chown ${user} ${environment}`,
    `Start it: cp ${join(folder, 'svc.service')} /etc/systemd/system/ && systemctl daemon-reload && systemctl enable --now svc`,
    'Read the password of the first account, admin, once: journalctl -u svc | grep -i password',
    ...PROXY_STEPS[proxy](folder, domain),
    'Look at all of it from outside: npm run ctl -- doctor --online',
    'Back it up: npm run ctl -- help backup',
  ];
  return ['What is left, as root where it has to be:', ...steps.map((step, at) => `  ${at + 1}. ${step}`)];
}

const PROXY_STEPS: Record<Deployment['proxy'], (folder: string, domain: string) => string[]> = {
  caddy: (folder) => [
    `Put Caddy in front: cp ${join(folder, 'Caddyfile')} /etc/caddy/Caddyfile && systemctl reload caddy`,
  ],
  nginx: (folder, domain) => [
    `Get a certificate: certbot certonly --webroot -w /var/www/html -d ${domain} (with nginx as it was installed)`,
    `Put nginx in front: cp ${join(folder, 'nginx.conf')} /etc/nginx/sites-enabled/svc && nginx -t && systemctl reload nginx`,
  ],
  none: () => ['Put a reverse proxy with TLS in front of it, and name its address in TRUSTED_PROXIES (.env).'],
};
