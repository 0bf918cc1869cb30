import { Menu } from '../parts/menu.tsx';
import { canSignIn, guest, signIn, signOut } from './guest.ts';
import { Link, place } from './place.tsx';
import { say } from './words/index.ts';

export const Header = ({ name }: { name: string }) => {
  const now = guest.value;
  const { view } = place.value;
  const isMine = view === 'bookings' || view === 'booking';
  return (
    <header class="top">
      <span class="brand">{name}</span>
      <nav>
        <Link to={{ view: 'search' }} aria-current={isMine ? undefined : 'page'}>
          {say('homes')}
        </Link>
        <Link to={{ view: 'bookings' }} aria-current={isMine ? 'page' : undefined}>
          {say('myBookings')}
        </Link>
      </nav>
      <Menu
        name={'person' in now ? now.person.full_name || now.person.email : undefined}
        signIn={now.state === 'OUT' && canSignIn() ? () => void signIn() : undefined}
        signOut={'person' in now ? () => void signOut() : undefined}
      />
    </header>
  );
};
