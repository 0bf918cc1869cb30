import type { ComponentType } from 'preact';
import { BookingPage } from './booking/booking-page.tsx';
import { Changing } from './change/change-dialog.tsx';
import { ChartPage } from './chart/chart-page.tsx';
import { useLive } from './data/live.ts';
import { FindPage } from './find/find-page.tsx';
import { ChatPane } from './inbox/chat-pane.tsx';
import { InboxPage } from './inbox/inbox-page.tsx';
import type { PageName } from './parts/address.ts';
import { Ended } from './parts/ended.tsx';
import { Header } from './parts/header.tsx';
import { lazily } from './parts/lazily.tsx';
import { dismiss, notice } from './parts/notice.ts';
import { route } from './parts/route.ts';
import { session, signIn } from './session/session.ts';
import { TodayPage } from './today/today-page.tsx';
import { say } from './words/index.ts';

export const App = () => {
  const { state } = session.value;
  useLive();
  return (
    <>
      <Header />
      {state === 'OPENING' && <p class="quiet page">{say('loading')}</p>}
      {state === 'SIGNED_OUT' && <SignedOut />}
      {state === 'ENDED' && <Ended signIn={signIn} />}
      {'team' in session.value && <Board key={session.value.team.team_id} />}
      <Notice />
    </>
  );
};

const pages: Readonly<Record<PageName, ComponentType>> = {
  today: TodayPage,
  calendar: ChartPage,
  inbox: InboxPage,
  find: FindPage,
  figures: lazily(async () => (await import('./figures/figures-page.tsx')).FiguresPage),
  team: lazily(async () => (await import('./team/team-page.tsx')).TeamPage),
};

const Board = () => {
  const { page, booking, chat } = route.value;
  const Page = pages[page];
  return (
    <main class={`board page-${page} ${(booking ?? chat) === undefined ? '' : 'with-booking'}`}>
      <Page />
      {booking !== undefined && <BookingPage key={booking} id={booking} />}
      {chat !== undefined && <ChatPane key={chat} id={chat} />}
      <Changing />
    </main>
  );
};

const SignedOut = () => {
  const now = session.value;
  const problem = now.state === 'SIGNED_OUT' ? now.problem : undefined;
  return (
    <main class="page welcome">
      <h1>Nightlatch</h1>
      <p>{say('welcome')}</p>
      {problem && <p role="alert">{say(`problem${problem}`)}</p>}
      <button type="button" class="primary" onClick={() => void signIn()}>
        {say('signIn')}
      </button>
    </main>
  );
};

const Notice = () => (
  <div class="notice" role="status">
    {notice.value && (
      <p>
        <span>{notice.value.text}</span>
        {notice.value.undo && (
          <button type="button" onClick={() => void notice.value?.undo?.()}>
            {say('doneUndo')}
          </button>
        )}
        <button type="button" class="close" aria-label={say('close')} onClick={dismiss}>
          ×
        </button>
      </p>
    )}
  </div>
);
