import type { Deployment } from './deployment.js';

/** The largest body that the proxy passes on, in MB: above every upload limit that the server is likely to have. */
const LARGEST_BODY_MB = 110;

type Proxied = Pick<Deployment, 'domain' | 'port'>;

/** Caddy gets certificates by itself, and passes WebSockets and event streams on without being told. */
export function caddyfile({ domain, port }: Proxied): string {
  return `${domain} {
	request_body {
		max_size ${LARGEST_BODY_MB}MB
	}

	# Several web processes: name them all, "reverse_proxy 127.0.0.1:4000 127.0.0.1:4001".
	reverse_proxy 127.0.0.1:${port} {
		lb_policy least_conn
		# A request waits while the only process starts again, or goes to another one.
		lb_try_duration 10s
		lb_try_interval 100ms
		health_uri /health/ready
		health_interval 2s
		health_timeout 2s
	}

	# Apps may put their token into the query of a stream: it stays out of the log.
	log {
		format filter {
			wrap json
			fields {
				request>uri regexp \\?.* ""
			}
		}
	}
}
`;
}

/** For nginx 1.18 or newer, with a certificate of certbot (webroot /var/www/html). */
export function nginxFile({ domain, port }: Proxied): string {
  return `# Below "http": as a file in /etc/nginx/sites-enabled or /etc/nginx/conf.d.
upstream svc {
	least_conn;
	# Several web processes: a line for each. One that fails is left out for two seconds.
	server 127.0.0.1:${port} max_fails=1 fail_timeout=2s;
	keepalive 64;
}

map $http_upgrade $svc_connection {
	default upgrade;
	'' '';
}

# Apps may put their token into the query of a stream: it stays out of the log.
log_format svc '$remote_addr [$time_iso8601] "$request_method $uri" $status $body_bytes_sent $request_time';

server {
	listen 80;
	listen [::]:80;
	server_name ${domain};

	location /.well-known/acme-challenge/ {
		root /var/www/html;
	}
	location / {
		return 301 https://$host$request_uri;
	}
}

server {
	listen 443 ssl http2;
	listen [::]:443 ssl http2;
	server_name ${domain};

	ssl_certificate /etc/letsencrypt/live/${domain}/fullchain.pem;
	ssl_certificate_key /etc/letsencrypt/live/${domain}/privkey.pem;
	ssl_protocols TLSv1.2 TLSv1.3;
	ssl_session_cache shared:svc:10m;

	access_log /var/log/nginx/svc.log svc;
	client_max_body_size ${LARGEST_BODY_MB}m;

	location / {
		proxy_pass http://svc;
		proxy_http_version 1.1;
		proxy_set_header Host $http_host;
		proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
		proxy_set_header X-Forwarded-Proto $scheme;
		proxy_set_header X-Forwarded-Host $http_host;
		# WebSockets. Event streams say themselves that they are not to be buffered.
		proxy_set_header Upgrade $http_upgrade;
		proxy_set_header Connection $svc_connection;
		# The server pings open streams every 30 seconds.
		proxy_read_timeout 90s;
		proxy_send_timeout 90s;
		# A process that ends says 503 on new connections: another one gets the request.
		proxy_next_upstream error timeout http_503;
		proxy_next_upstream_tries 3;
	}
}
`;
}
