import { type Html, html, type MessageKey, type PageContent, type Translator } from '../../../common/index.js';
import { MODERATOR_PRIVILEGES } from '../../../config/index.js';
import type { BrowserSession } from '../../../sign-in/index.js';
import { sessionForm } from '../../parts/forms.part.js';
import { STAFF_PATH } from '../frame/staff-sections.js';
import { type Said, saidPart } from '../parts/staff.part.js';
import { REGISTRATIONS, type SettingsFields } from './settings.dto.js';

/** The fields of each kind. */
type FieldsOf<Value> = {
  [Name in keyof SettingsFields]: SettingsFields[Name] extends Value ? Name : never;
}[keyof SettingsFields];

/** The main settings in plain words. */
export function settingsPage(
  t: Translator,
  session: BrowserSession,
  fields: SettingsFields & { readonly shown: string },
  { isChangeable, sendsMail }: { readonly isChangeable: boolean; readonly sendsMail: boolean },
  said: Said = {},
): PageContent {
  const title = t.text('staff.settings');
  const line = (name: FieldsOf<string>, attributes = html``) =>
    html`${label(t, name)} <input id="${name}" name="${name}" value="${fields[name]}" ${attributes} />`;
  const area = (name: FieldsOf<string>) =>
    html`${label(t, name)} <textarea id="${name}" name="${name}" rows="4">${fields[name]}</textarea>`;
  const tick = (name: FieldsOf<boolean>) => tickBox(name, 'true', text(t, name), fields[name]);
  const count = html`type="number" min="1" required`;
  const content = html`<input type="hidden" name="shown" value="${fields.shown}" />
    <fieldset ${!isChangeable && html`disabled`}>
      <legend>${t.text('staff.settings.about')}</legend>
      ${line('name', html`required maxlength="200"`)} ${line('short_description', html`maxlength="500"`)}
      ${area('description')} ${line('email', html`type="email"`)} ${line('languages')}
      ${line('source_url', html`type="url" aria-describedby="source-hint"`)}
      <p class="soft" id="source-hint">${t.text('staff.settings.source.hint')}</p>
    </fieldset>
    <fieldset ${!isChangeable && html`disabled`}>
      <legend>${t.text('staff.settings.sign-up')}</legend>
      ${label(t, 'registrations')}
      <select id="registrations" name="registrations">
        ${REGISTRATIONS.map(
          (each) =>
            html`<option value="${each}" ${each === fields.registrations && html`selected`}>
              ${t.text(`staff.settings.registrations.${each}`)}
            </option>`,
        )}
      </select>
      ${tick('approval')} ${tick('activation')}
      ${!sendsMail && html`<p class="soft">${t.text('staff.settings.activation.hint')}</p>`}
      ${area('registration_message')}
    </fieldset>
    <fieldset ${!isChangeable && html`disabled`}>
      <legend>${t.text('staff.settings.others')}</legend>
      ${tick('public')} ${tick('federating')}
    </fieldset>
    <fieldset ${!isChangeable && html`disabled`}>
      <legend>${t.text('staff.settings.limits')}</legend>
      ${line('limit', count)} ${line('chat_limit', count)} ${line('max_media_attachments', count)}
      ${line('upload_limit', html`type="number" min="0" step="any" required`)}
    </fieldset>
    <fieldset ${!isChangeable && html`disabled`}>
      <legend>${t.text('staff.settings.privileges')}</legend>
      ${MODERATOR_PRIVILEGES.map((scope) => tickBox('privileges', scope, privilege(t, scope), fields.privileges.includes(scope)))}
    </fieldset>
    ${isChangeable && html`<button>${t.text('staff.save')}</button>`}`;
  return {
    title,
    main: html`<h1>${title}</h1>
      ${saidPart(said)}
      ${sessionForm(session, `${STAFF_PATH}/settings`, content, { attributes: html`class="staff-settings"` })}`,
  };
}

function text(t: Translator, name: string): string {
  return t.text(`staff.settings.${name}` as MessageKey as 'staff.settings.name');
}

function label(t: Translator, name: keyof SettingsFields): Html {
  return html`<label for="${name}">${text(t, name)}</label>`;
}

function tickBox(name: string, value: string, words: string, isOn: boolean): Html {
  return html`<label class="tick"
    ><input type="checkbox" name="${name}" value="${value}" ${isOn && html`checked`} />${words}</label
  >`;
}

/** A scope such as `admin:write:reports` in words. */
function privilege(t: Translator, scope: string): string {
  return text(t, `privilege.${scope.replace('admin:', '').replace(':', '.')}`);
}
