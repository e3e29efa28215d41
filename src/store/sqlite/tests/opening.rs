//! Which files are opened, and what is said of the others.

use super::*;

/// What is said of a file that is not opened.
fn refusal(path: &Path) -> OpenError {
    match SqliteStore::open(path, &IN_TESTS) {
        Ok(_) => panic!("{} was opened", path.display()),
        Err(error) => {
            assert_eq!(error.to_string().lines().count(), 1, "{error}");
            error
        }
    }
}

#[test]
fn a_file_needs_a_directory() {
    let scratch = Scratch::new();
    assert!(matches!(refusal(&scratch.0.join("no/patience.db")), OpenError::NoDirectory(_)));
    assert!(matches!(refusal(&scratch.0), OpenError::File(..)));
}

#[test]
fn a_file_that_may_only_be_read_is_not_opened() {
    let scratch = Scratch::new();
    fs::write(scratch.file(), "").unwrap();
    let mut permissions = fs::metadata(scratch.file()).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(scratch.file(), permissions).unwrap();
    assert!(matches!(refusal(&scratch.file()), OpenError::ReadOnly(_)));
}

#[test]
fn a_file_that_is_no_database_is_left_as_it_is() {
    let scratch = Scratch::new();
    let text = "Dear diary, ".repeat(1_000);
    fs::write(scratch.file(), &text).unwrap();
    assert!(matches!(refusal(&scratch.file()), OpenError::NotADatabase(_)));
    assert_eq!(fs::read_to_string(scratch.file()).unwrap(), text);
}

#[test]
fn a_database_of_another_program_is_left_as_it_is() {
    let scratch = Scratch::new();
    for sql in ["PRAGMA user_version = 1", "CREATE TABLE things (a)", "PRAGMA application_id = 7"] {
        scratch.see().execute_batch(sql).unwrap();
        let before = fs::read(scratch.file()).unwrap();
        assert!(matches!(refusal(&scratch.file()), OpenError::Foreign(_)), "{sql}");
        assert!(before == fs::read(scratch.file()).unwrap(), "{sql}");
    }
}

#[tokio::test]
async fn a_file_of_a_later_version_is_left_as_it_is() {
    let scratch = Scratch::new();
    scratch.open().close().await;
    scratch.see().pragma_update(None, "user_version", schema::VERSION + 1).unwrap();
    let error = refusal(&scratch.file());
    assert!(matches!(error, OpenError::Newer { found, .. } if found == schema::VERSION + 1), "{error}");
    let said = backup(&scratch.file(), &scratch.0.join("copy.db")).unwrap_err().to_string();
    assert!(said.contains("is of version"), "{said}");
}

#[test]
fn a_file_that_another_program_has_locked_is_not_waited_for_forever() {
    let scratch = Scratch::new();
    fs::write(scratch.file(), "").unwrap();
    let other = scratch.see();
    other.execute_batch("BEGIN EXCLUSIVE").unwrap();
    assert!(matches!(refusal(&scratch.file()), OpenError::Locked(_)));
}

#[tokio::test]
async fn of_two_who_open_a_file_one_does() {
    let (scratch, mut logs) = (Scratch::new(), Logs::default());
    let id = logs.id();
    let first = scratch.open();
    assert!(matches!(refusal(&scratch.file()), OpenError::InUse(_)));
    first.append(vec![logs.begun(id, 0)]).await.unwrap();
    first.close().await;
    let second = scratch.open();
    assert_eq!(version_of(&second, id).await, Some(1));
}

#[tokio::test]
async fn a_file_that_is_empty_is_brought_to_this_version() {
    let scratch = Scratch::new();
    fs::write(scratch.file(), "").unwrap();
    // As far as one gets who is stopped before the first migration.
    scratch.see().execute_batch("PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL").unwrap();
    for _ in 0..2 {
        scratch.open().close().await;
        let seen = scratch.see();
        assert_eq!(schema::look(&seen).unwrap(), schema::Found::Ours(schema::VERSION));
        assert_eq!(number(&seen, "PRAGMA auto_vacuum"), 2);
        assert_eq!(number(&seen, "SELECT count(*) FROM sessions"), 0);
    }
}

#[tokio::test]
async fn what_is_made_is_for_its_owner_alone() {
    let (scratch, mut logs) = (Scratch::new(), Logs::default());
    let id = logs.id();
    let store = scratch.open();
    store.append(vec![logs.begun(id, 0)]).await.unwrap();
    backup(&scratch.file(), &scratch.0.join("copy.db")).unwrap();
    for entry in fs::read_dir(&scratch.0).unwrap() {
        let path = entry.unwrap().path();
        let mode = std::os::unix::fs::PermissionsExt::mode(&fs::metadata(&path).unwrap().permissions());
        assert_eq!(mode & 0o777, 0o600, "{}", path.display());
    }
}

#[test]
fn a_migration_is_done_or_not() {
    let scratch = Scratch::new();
    let mut connection = scratch.see();
    connection.execute_batch("CREATE TABLE entries (a)").unwrap();
    assert!(schema::migrate(&mut connection, 0).is_err());
    assert_eq!(number(&connection, "SELECT count(*) FROM sqlite_schema"), 1);
    assert_eq!(number(&connection, "PRAGMA user_version"), 0);
}
