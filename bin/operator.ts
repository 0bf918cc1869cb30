import { connect } from '../infra/operator/connect.ts';
import { operate } from '../infra/operator/operate.ts';

const { exitCode, stdout, stderr } = await operate(process.argv.slice(2), connect);
process.stdout.write(stdout);
process.stderr.write(stderr);
process.exitCode = exitCode;
