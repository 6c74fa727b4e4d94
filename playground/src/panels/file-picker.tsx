/** Files of one's own, for kernels as arguments, for programs to open, under their names. */
import { addFile, fileNames } from '../run/files.ts';
import { announcement } from '../state.ts';

interface FilePickerProps {
  /** As the attribute of that name; absent, any file. */
  readonly accept?: string;
  /** What the files that there are can be used for. */
  readonly use: (names: string) => string;
}

export function FilePicker({ accept, use }: FilePickerProps) {
  const add = async (files: FileList | null) => {
    for (const file of files ?? []) {
      try {
        await addFile(file.name, file);
        announcement.value = `${file.name} is there`;
      } catch {
        announcement.value = `${file.name} is no picture that this browser can read`;
      }
    }
  };
  const own = fileNames.value.slice(1);
  return (
    <p class="files">
      <label>
        Use a file of yours
        <input
          type="file"
          multiple
          {...(accept === undefined ? {} : { accept })}
          onChange={({ currentTarget }) => void add(currentTarget.files)}
        />
      </label>
      {own.length > 0 && <span>{use(own.join(', '))}</span>}
    </p>
  );
}
