import { type AccountRow, acctOf } from '../../accounts/index.js';
import { bdi, type Html, html, type PageContent, type Translator } from '../../common/index.js';
import { type Subject, SUBSCRIBE_PATH } from './remote-follow.service.js';

/** Asks a visitor for the server that the own account is on. The form leads there. */
export function remoteFollowPage(t: Translator, subject: Subject, tried: string | undefined): PageContent {
  const { kind, acct } = subject;
  const title = t.text(kind === 'account' ? 'interact.follow' : 'interact.post', { name: acct });
  const named = tried === undefined ? '' : t.text('interact.unknown', { name: tried });
  const main = frame(
    title,
    named,
    html`<p class="lead">${t.text('interact.elsewhere')}</p>
      <form method="post">
        <label for="profile">${t.text('interact.profile')}</label>
        <input id="profile" name="profile" required placeholder="name@server.example" autocapitalize="none" />
        <button>${t.text('interact.continue')}</button>
      </form>`,
  );
  return { title, main, submitsTo: ['https:', 'http:'] };
}

/** Asks a person of this server whether to follow an account, and to sign in if need be. */
export function subscribePage(t: Translator, account: AccountRow, isSignedIn: boolean, problem = ''): PageContent {
  const title = t.text('interact.follow', { name: account.displayName || account.nickname });
  const main = frame(
    title,
    problem,
    html`<p class="lead">${bdi(`@${acctOf(account.nickname, account.domain)}`)}</p>
      <form method="post" action="${SUBSCRIBE_PATH}">
        <input type="hidden" name="${isSignedIn ? 'user' : 'authorization'}[id]" value="${account.id}" />
        ${!isSignedIn && signInFields(t)}
        <button>${t.text('interact.do-follow')}</button>
      </form>`,
  );
  return { title, bar: isSignedIn ? null : { here: 'sign-in' }, main };
}

function signInFields(t: Translator): Html {
  return html`<p>${t.text('interact.sign-in')}</p>
    <label for="name">${t.text('interact.name')}</label>
    <input id="name" name="authorization[name]" required autocomplete="username" autocapitalize="none" />
    <label for="password">${t.text('interact.password')}</label>
    <input id="password" name="authorization[password]" type="password" required autocomplete="current-password" />`;
}

function frame(title: string, problem: string, content: Html): Html {
  return html`<div class="narrow">
    <h1>${title}</h1>
    ${problem !== '' && html`<p class="alarm" role="alert">${problem}</p>`} ${content}
  </div>`;
}
