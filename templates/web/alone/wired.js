// The first script of each page that is shown in the frame.
parent.desk.wired(document);
