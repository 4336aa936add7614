import { NICKNAME_PATTERN } from '../../accounts/index.js';
import { bdi, type FieldError, type Html, html, type PageContent, type Translator } from '../../common/index.js';
import type { Overview } from '../../instance/index.js';
import { type AskedCaptcha, type CaptchaJson, formPage, SIGN_IN_PATH, SIGN_UP_PATH } from '../../sign-in/index.js';

/** The state of the form that creates an account. */
export interface SignUpForm {
  readonly server: string;
  readonly rules: Overview['rules'];
  readonly needsEmail: boolean;
  readonly needsReason: boolean;
  readonly needsBirthday: boolean;
  /** What the operator says to people who want an account. */
  readonly message: Html | undefined;
  readonly captcha: CaptchaJson;
  /** The question that stands for the picture. */
  readonly asked: AskedCaptcha | undefined;
  /** The values of the last try. */
  readonly sent: Readonly<Record<SentText, string>> & {
    readonly agreement: boolean;
  };
  readonly errors: Readonly<Record<string, readonly FieldError[]>>;
}

type SentText = 'username' | 'email' | 'reason' | 'birthday' | 'return_to' | 'token' | 'question';

type FieldPart = (name: string, label: Html | string, input: (attributes: Html) => Html, hint?: string) => Html;

/** Asks for what a new account needs. */
export function signUpPage(t: Translator, form: SignUpForm): PageContent {
  const { needsEmail, sent, captcha } = form;
  const optional = html`<span class="soft">(${t.text('sign-up.optional')})</span>`;
  const field: FieldPart = (name, label, input, hint) => {
    const error = form.errors[name]?.[0];
    const notes = [error && `${name}-error`, hint !== undefined && `${name}-hint`].filter(Boolean).join(' ');
    const described = html`${error && html`aria-invalid="true"`} ${notes !== '' && html`aria-describedby="${notes}"`}`;
    return html`<label for="${name}">${label}</label>
      ${hint !== undefined && html`<p class="soft hint" id="${name}-hint">${hint}</p>`}
      ${error && html`<p class="alarm" id="${name}-error">${t.text(`sign-up.${error.error}`)}</p>`}
      ${input(html`id="${name}" name="${name}" ${described}`)}`;
  };
  const next = sent.return_to === '' ? '' : `?${new URLSearchParams({ return_to: sent.return_to }).toString()}`;
  const signIn = `${SIGN_IN_PATH}${next}`;
  const content = html`<p class="lead">${t.html('sign-up.lead', { server: bdi(form.server) })}</p>
    ${form.message}
    <form method="post" action="${SIGN_UP_PATH}">
      <input type="hidden" name="return_to" value="${sent.return_to}" />
      ${sent.token !== '' && html`<input type="hidden" name="token" value="${sent.token}" />`}
      ${field('username', t.text('sign-up.username'), (own) => html`<input ${own} value="${sent.username}" required autocomplete="username" autocapitalize="none" maxlength="30" pattern="${NICKNAME_PATTERN}" />`)}
      ${field('email', html`${t.text('sign-up.email')} ${!needsEmail && optional}`, (own) => html`<input ${own} type="email" value="${sent.email}" ${needsEmail && html`required`} autocomplete="email" />`)}
      ${field('password', t.text('sign-in.password'), (own) => html`<input ${own} type="password" required autocomplete="new-password" />`, t.text('sign-up.password-rule'))}
      ${form.needsBirthday && field('birthday', t.text('sign-up.birthday'), (own) => html`<input ${own} type="date" value="${sent.birthday}" required autocomplete="bday" />`)}
      ${form.needsReason && field('reason', t.text('sign-up.reason'), (own) => html`<textarea ${own} rows="3" required>${sent.reason}</textarea>`)}
      ${captcha.type === 'native' && captchaFields(t, form, captcha, field)} ${agreement(t, form)}
      <button>${t.text('sign-up.submit')}</button>
    </form>
    <p>${t.text('sign-up.known')} <a href="${signIn}">${t.text('sign-in.title')}</a></p>`;
  return {
    ...formPage(t.text('sign-up.title'), undefined, content),
    bar: { appPath: sent.return_to, here: 'sign-up' },
  };
}

function captchaFields(
  t: Translator,
  { asked, sent }: SignUpForm,
  captcha: Extract<CaptchaJson, { type: 'native' }>,
  field: FieldPart,
): Html {
  const picture = html`<img
    class="captcha"
    src="${captcha.url}"
    alt="${t.text('sign-up.captcha.picture')}"
    width="288"
    height="80"
  />`;
  return html`<input type="hidden" name="captcha_token" value="${captcha.token}" />
    <input type="hidden" name="captcha_answer_data" value="${captcha.answer_data}" />
    ${picture}
    ${field('captcha', t.text('sign-up.captcha'), (own) => html`<input ${own} autocomplete="off" autocapitalize="characters" />`)}
    ${asked && questionFields(t, asked, sent.question !== '')}`;
}

/** The question in place of the picture: people who cannot see it answer this one. */
function questionFields(t: Translator, { question, token, answer_data: data }: AskedCaptcha, isOpen: boolean): Html {
  return html`<details class="notice" ${isOpen && html`open`}>
    <summary>${t.text('sign-up.captcha.instead')}</summary>
    <input type="hidden" name="question_token" value="${token}" />
    <input type="hidden" name="question_answer_data" value="${data}" />
    <label for="question">${question}</label>
    <input id="question" name="question" autocomplete="off" autocapitalize="none" />
  </details>`;
}

/** The rules of the server, and the consent to them. */
function agreement(t: Translator, { rules, errors, sent }: SignUpForm): Html {
  const described = errors.agreement && html`aria-invalid="true" aria-describedby="agreement-error"`;
  return html`${
      rules.length > 0 &&
      html`<h2>${t.text('landing.rules.title')}</h2>
        <ol>
          ${rules.map(({ text, hint }) => html`<li>${bdi(text)} ${hint !== '' && html`<br /><span class="soft">${bdi(hint)}</span>`}</li>`)}
        </ol>`
    }
    ${errors.agreement && html`<p class="alarm" id="agreement-error">${t.text('sign-up.ERR_ACCEPTED')}</p>`}
    <label class="tick"
      ><input type="checkbox" name="agreement" value="true" required ${sent.agreement && html`checked`} ${described} />
      ${t.text('sign-up.agreement')}</label
    >`;
}
