import type { Request, Response } from 'express';
import helmet from 'helmet';

export type HeaderEntry = readonly [name: string, value: string];

/**
 * Headers that restrict browsers. Pages may loosen the policy for themselves. Apps of other origins may embed our
 * answers, and may open our login page as a pop-up.
 */
export function secureHeaders(baseUrl: string): HeaderEntry[] {
  const protect = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'", 'data:'],
        mediaSrc: ["'self'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    crossOriginOpenerPolicy: false,
    crossOriginResourcePolicy: { policy: 'cross-origin' },
    frameguard: { action: 'deny' },
    referrerPolicy: { policy: 'same-origin' },
    // For plug-ins, old browsers and pages with scripts of their own, which this server does not have.
    originAgentCluster: false,
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xPoweredBy: false,
    xXssProtection: false,
    strictTransportSecurity: baseUrl.startsWith('https:') && { maxAge: 31_536_000 },
  });
  const entries: HeaderEntry[] = [];
  const response = { setHeader: (name: string, value: string) => entries.push([name, value]) };
  protect({} as Request, response as unknown as Response, () => undefined);
  return entries;
}
