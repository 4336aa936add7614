import type { Mail } from '../../platform/index.js';
import type { Translator } from '../i18n/translator.js';
import type { Site } from './layout.js';
import { html } from '../i18n/template.js';

/** The content of a mail. */
export interface MailContent {
  readonly subject: string;
  readonly paragraphs: readonly string[];
  /** The one link. Its address is on this server. */
  readonly action?: { readonly label: string; readonly url: string };
  /** The address that stops such mails. */
  readonly unsubscribe?: string;
}

/** A letter in both of its forms, without a recipient. */
export type Letter = Omit<Mail, 'to'>;

/** Mail programs do not load our stylesheets; the colours are those of the light pages. */
const STYLES = {
  body: 'margin:0;padding:24px;background:#f8f6f1;color:#23272e;font:16px/1.6 system-ui,-apple-system,sans-serif',
  card: 'max-width:560px;margin:0 auto;padding:32px;background:#ffffff;border:1px solid #dedacf;border-radius:16px',
  title: 'margin:0 0 16px;font:600 24px/1.25 Georgia,serif',
  action:
    'display:inline-block;padding:10px 20px;background:#0f6b5c;color:#ffffff;border-radius:8px;text-decoration:none',
  soft: 'color:#5b616b;font-size:14px;overflow-wrap:anywhere',
};

/** Writes a letter. */
export function renderMail(site: Site, t: Translator, content: MailContent): Letter {
  return {
    subject: content.subject,
    text: asText(site, t, content),
    html: asHtml(site, t, content),
    unsubscribe: content.unsubscribe,
  };
}

function asText(site: Site, t: Translator, { paragraphs, action, unsubscribe }: MailContent): string {
  const end = unsubscribe === undefined ? [] : [`${t.text('mail.unsubscribe')}:\n${unsubscribe}`];
  const link = action ? [`${action.label}:\n${action.url}`] : [];
  return [...paragraphs, ...link, `-- \n${sender(site, t)}\n${site.url}`, ...end].join('\n\n');
}

function asHtml(site: Site, t: Translator, { subject, paragraphs, action, unsubscribe }: MailContent): string {
  return html`<!doctype html>
    <html lang="${t.locale}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${subject}</title>
      </head>
      <body style="${STYLES.body}">
        <div style="${STYLES.card}">
          <h1 style="${STYLES.title}">${subject}</h1>
          ${paragraphs.map((paragraph) => html`<p>${paragraph}</p>`)}
          ${
            action &&
            html`<p><a style="${STYLES.action}" href="${action.url}">${action.label}</a></p>
              <p style="${STYLES.soft}">${t.text('mail.address')}<br />${action.url}</p>`
          }
          <p style="${STYLES.soft}">${sender(site, t)} <a href="${site.url}">${site.url}</a></p>
          ${unsubscribe !== undefined && html`<p style="${STYLES.soft}"><a href="${unsubscribe}">${t.text('mail.unsubscribe')}</a></p>`}
        </div>
      </body>
    </html> `.toString();
}

function sender(site: Site, t: Translator): string {
  return t.text('mail.sender', { server: site.name });
}
