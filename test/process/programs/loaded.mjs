// Imported before the server: on SIGUSR2 prints the addresses of all code that is loaded, that of Node itself included.
import { Session } from 'node:inspector';

process.on('SIGUSR2', () => {
  const session = new Session();
  session.connect();
  session.on('Debugger.scriptParsed', ({ params }) => console.log(`LOADED ${params.url}`));
  session.post('Debugger.enable', () => {
    session.disconnect();
    console.log('LOADED ALL');
  });
});
