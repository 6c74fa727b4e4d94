/** Entry file of the threads of a program (dist/member.js). */
import { enterThread } from '../../runtime/host.ts';
import { type MemberStart, runMember } from './member.ts';

enterThread((data) => runMember(data as MemberStart));
