/** The extension: starts the language server and the debug adapter, and puts run, check and debug above kernels. */
import * as vscode from 'vscode';
import { LanguageClient } from 'vscode-languageclient/node';
import { findCommand, type Started } from './command.ts';
import {
  debugConfiguration,
  type Lens,
  lensesIn,
  type Runnable,
  type SourceLanguage,
  splitWords,
  wordsFor,
} from './kernels.ts';

const languages: readonly SourceLanguage[] = ['opencl', 'brook', 'amdil'];
let client: LanguageClient | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const begin = async () => {
    context.subscriptions.push(
      vscode.languages.registerCodeLensProvider(
        languages.map((language) => ({ language })),
        lenses(),
      ),
      vscode.debug.registerDebugAdapterDescriptorFactory('millrace', {
        createDebugAdapterDescriptor: () => {
          const { command, args } = started();
          return new vscode.DebugAdapterExecutable(command, [...args, 'debug', '--dap']);
        },
      }),
      vscode.commands.registerCommand('millrace.run', runLens(context, 'run')),
      vscode.commands.registerCommand('millrace.check', runLens(context, 'check')),
      vscode.commands.registerCommand('millrace.debug', debugLens(context)),
      vscode.commands.registerCommand('millrace.restart', async () => {
        await client?.stop().catch(() => {});
        await startClient();
      }),
    );
    await startClient();
  };
  // The command may be the workspace's own.
  if (vscode.workspace.isTrusted) await begin();
  else context.subscriptions.push(vscode.workspace.onDidGrantWorkspaceTrust(() => void begin()));
}

export async function deactivate(): Promise<void> {
  await client?.stop();
}

function started(): Started {
  const setting = vscode.workspace.getConfiguration('millrace').get('command', '');
  const folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath);
  return findCommand(setting, folders);
}

async function startClient(): Promise<void> {
  const { command, args } = started();
  const settings = vscode.workspace.getConfiguration('millrace');
  client = new LanguageClient(
    'millrace',
    'Millrace',
    { command, args: [...args, 'lsp'] },
    {
      documentSelector: languages.map((language) => ({ scheme: 'file', language })),
      synchronize: { configurationSection: 'millrace' },
      initializationOptions: {
        buildOptions: settings.get('buildOptions', ''),
        includePaths: settings.get<string[]>('includePaths', []),
      },
    },
  );
  try {
    await client.start();
  } catch (error) {
    const choice = await vscode.window.showErrorMessage(
      `'${command}' does not start: ${(error as Error).message}. Install it with npm install millrace, or name it in the settings.`,
      'Settings',
    );
    if (choice) await vscode.commands.executeCommand('workbench.action.openSettings', 'millrace.command');
  }
}

function lenses(): vscode.CodeLensProvider {
  return {
    provideCodeLenses(document) {
      if (!vscode.workspace.getConfiguration('millrace').get('codeLens', true)) return [];
      return lensesIn(document.getText(), document.languageId as SourceLanguage).map(
        ({ title, command, runnable }: Lens) =>
          new vscode.CodeLens(new vscode.Range(runnable.line, 0, runnable.line, 0), {
            title,
            command,
            arguments: [document.uri, runnable],
          }),
      );
    },
  };
}

/** Asks for the options of a launch, with those of the last time; undefined if the person thinks better of it. */
async function askOptions(
  context: vscode.ExtensionContext,
  uri: vscode.Uri,
  { kernel }: Runnable,
): Promise<string[] | undefined> {
  const key = `options ${uri.toString()} ${kernel ?? ''}`;
  const text = await vscode.window.showInputBox({
    title: kernel === undefined ? 'Options and arguments' : `Options of the launch of ${kernel}`,
    prompt: 'As for millrace run; what is missing is guessed where that is safe',
    placeHolder: '--global 1024 --arg x=range --arg y=zeros',
    value: context.workspaceState.get(key, ''),
  });
  if (text === undefined) return undefined;
  await context.workspaceState.update(key, text);
  return splitWords(text);
}

const runLens =
  (context: vscode.ExtensionContext, verb: 'run' | 'check') =>
  async (uri: vscode.Uri, runnable: Runnable): Promise<void> => {
    const options = await askOptions(context, uri, runnable);
    if (!options) return;
    await vscode.workspace.save(uri);
    const { command, args } = started();
    const words = wordsFor(verb, uri.fsPath, runnable, options);
    const task = new vscode.Task(
      { type: 'millrace', verb },
      vscode.workspace.getWorkspaceFolder(uri) ?? vscode.TaskScope.Workspace,
      `${verb} ${runnable.kernel ?? 'program'}`,
      'millrace',
      new vscode.ProcessExecution(command, [...args, ...words]),
    );
    task.presentationOptions = { clear: true, panel: vscode.TaskPanelKind.Dedicated };
    await vscode.tasks.executeTask(task);
  };

const debugLens =
  (context: vscode.ExtensionContext) =>
  async (uri: vscode.Uri, runnable: Runnable): Promise<void> => {
    const options = await askOptions(context, uri, runnable);
    if (!options) return;
    const folder = vscode.workspace.getWorkspaceFolder(uri);
    await vscode.debug.startDebugging(folder, debugConfiguration(uri.fsPath, runnable, options));
  };
