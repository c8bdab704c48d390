#region createAttachment
curl --path-as-is "$WRP_BASE_URL/tables/${TABLE_ID:?}/records/${RECORD_ID:?}/attachments" \
  -H "Authorization: $WRP_TOKEN" \
  -H "Idempotency-Key: photo-$RANDOM" \
  -F "file=@bumper.jpg;type=image/jpeg" \
  -F "tags=photo" \
  -F "tags=front"
#endregion

#region listAttachments
curl --path-as-is "$WRP_BASE_URL/tables/${TABLE_ID:?}/records/${RECORD_ID:?}/attachments" \
  -H "Authorization: $WRP_TOKEN"
#endregion

#region getAttachmentLink
curl --path-as-is "$WRP_BASE_URL/tables/${TABLE_ID:?}/records/${RECORD_ID:?}/attachments/${ATTACHMENT_ID:?}" \
  -H "Authorization: $WRP_TOKEN"
#endregion

#region deleteAttachment
curl --path-as-is -X DELETE "$WRP_BASE_URL/tables/${TABLE_ID:?}/records/${RECORD_ID:?}/attachments/${ATTACHMENT_ID:?}" \
  -H "Authorization: $WRP_TOKEN"
#endregion
