interface SidebarGroup {
  readonly text: string;
  readonly link?: string;
  readonly items: { text: string; link: string }[];
}
export const guideSidebar: SidebarGroup[];
export const projectSidebar: SidebarGroup[];
export function sampleSidebar(): SidebarGroup[];
